import ClientDriver
import Glibc
import Mutants

let options: Options
do {
    options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
    if !CommandLine.arguments.contains("--help") { print("squall-mutants: \(error.text)") }
    print(Options.usage)
    exit(CommandLine.arguments.contains("--help") ? 0 : 2)
}

// Some scenarios are about files that the client must not read. Before there are other threads.
FileRights.giveUp()
do {
    let program = try Program(options)
    if options.lists {
        program.list()
        exit(0)
    }
    exit(try await program.run())
} catch {
    print("squall-mutants: \(error)")
    exit(2)
}
