import FaultEngine
import Scenario
import StorageModel

/// A step of a served scenario in words: what a person does with an app.
enum StepInstruction {
    /// - Parameter sources: the folder with what the steps upload; nil: there is none.
    static func text(of step: Step, sources: String? = nil) -> String {
        var text = action(step.verb)
        if let sources, let name = step.name, case .upload = step.verb {
            text += " from \(sources)/\(name)"
        }
        if let when = step.when { text += ", at: \(when.text)" }
        if let after = step.after { text += ", \(after.scenarioText) later" }
        if step.isInside { text += " (inside that callback)" }
        return text + (step.name.map { "   (\($0))" } ?? "")
    }

    private static func action(_ verb: StepVerb) -> String {
        switch verb {
        case .upload(let step):
            "upload " + (step.size.map { "\($0.sizeText) " } ?? "") + "to \(name(step.object))"
        case .download(let step): "download \(name(step.object))"
        case .pause(let use): "pause \(use.task)"
        case .resume(let use): "resume \(use.task)"
        case .cancel(let use): "cancel \(use.task)"
        case .snapshot(let task): "look at the state of \(task)"
        case .observe(let step): "add an observer to \(step.task)"
        case .unobserve: "remove an observer"
        case .getMetadata(let object): "read the metadata of \(name(object))"
        case .updateMetadata(let object, _): "change the metadata of \(name(object))"
        case .delete(let object): "delete \(name(object))"
        case .url(let object): "get the download URL of \(name(object))"
        case .list(let step): "list \(name(step.prefix)), one page"
        case .listAll(let prefix): "list \(name(prefix))"
        case .fetch(let result): "open the URL of \(result)"
        case .image(let object): "show the image \(name(object))"
        case .reference: "make a reference"
        case .local: "change a local file"
        case .token: "change the signed-in user"
        case .backend: "(the backend changes something: not carried out here)"
        case .release(let task): "let go of \(task)"
        case .restartClient: "kill the app and start it again"
        case .wait: "wait"
        case .burst(let steps): "in one turn: " + list(steps)
        case .parallel(let steps): "at once: " + list(steps)
        case .repeat(let step): "\(step.count) times: " + list(step.steps(ofRound: 1))
        }
    }

    private static func name(_ object: ObjectAddress) -> String {
        object.path.isEmpty ? "the root" : object.description
    }

    private static func list(_ steps: [Step]) -> String {
        steps.map { text(of: $0) }.joined(separator: "; ")
    }
}
