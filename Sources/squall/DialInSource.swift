import ClientDriver
import DialIn
import Scenario
import ScenarioRunner
import StorageModel

/// Where a client that dials in is waited for, from the command line or from the client's file.
struct DialInSource: Sendable {
    private let options: DialInOptions
    private let limits: StdioDriver.Limits

    /// - Parameter opener: opens the client; empty: somebody does.
    init(port: UInt16, opener: [String]) {
        options = DialInOptions(
            port: port, open: opener.isEmpty ? nil : ChildCommand(opener),
            folders: Self.folders(page: nil, modules: nil), page: Self.ownPage)
        limits = StdioDriver.Limits()
    }

    init(_ file: ClientFile, _ limits: StdioDriver.Limits) {
        let settings = file.dialIn ?? DialInSettings(place: file.name.place)
        func inFolder(_ path: String) -> String {
            path.hasPrefix("/") ? path : "\(file.folder)/\(path)"
        }
        var options = DialInOptions(
            host: settings.host?.value ?? "127.0.0.1",
            port: settings.port ?? (settings.open == nil ? DialInSettings.usualPort : 0))
        options.open = settings.open.map {
            ChildCommand($0, environment: file.environment, folder: file.folder)
        }
        options.folders = Self.folders(
            page: settings.page.map { inFolder($0.value) },
            modules: settings.modules.map { inFolder($0.value) })
        options.page = settings.page == nil ? Self.ownPage : Self.givenPage
        if let wait = settings.wait { options.limits.wait = wait }
        self.options = options
        self.limits = limits
    }

    var source: ClientSource {
        let (options, limits) = (options, limits)
        return ClientSource(isKept: true) { loop in
            DialInDriver(loop: loop, options: options, limits: limits) { url in
                Terminal.error("squall: waiting for the client to dial in at \(url)")
            }
        }
    }

    private static let ownPage = "browser"
    private static let givenPage = "page"

    /// By the names that they have at the port.
    private static func folders(page: String?, modules: String?) -> [String: String] {
        var folders = ["browser": Installation.browserPage]
        folders["modules"] = modules
        folders[givenPage] = page
        return folders
    }
}
