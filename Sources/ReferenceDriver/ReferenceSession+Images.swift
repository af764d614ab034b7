import ClientDriver
import CloudStorage
import Foundation
import StorageModel

extension ReferenceSession {
    /// Loads an image, and answers at the end of the load.
    func image(_ reference: StorageReference, _ path: String, _ reply: @escaping Reply) {
        // Touched on the loop alone: it is the library's callback queue here.
        let seen = OnLoop(SeenStates())
        let reply = OnLoop(reply)
        images.load(reference) { state in
            switch state {
            case .placeholder: seen.value.states.append("placeholder")
            case .cached: seen.value.states.append("cached")
            case .failure(let error): reply.value(.error(Self.clientError(error)))
            case .image(let image):
                guard FileManager.default.createFile(atPath: path, contents: image.data) else {
                    return reply.value(
                        .unsupported("the image cannot be written to \(path)"))
                }
                reply.value(
                    .result(
                        .image(
                            .init(
                                states: seen.value.states + ["image"],
                                origin: image.origin.rawValue, isStale: image.isStale,
                                path: path))))
            }
        }
    }

    private final class SeenStates {
        var states: [String] = []
    }
}
