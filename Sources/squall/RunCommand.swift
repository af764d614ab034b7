import RunModel

struct RunCommand {
    init(_ arguments: ParsedArguments) {}
    func perform() throws(UsageError) -> ExitCode { .infrastructure }
}
