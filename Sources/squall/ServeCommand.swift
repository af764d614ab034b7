import RunModel

struct ServeCommand {
    init(_ arguments: ParsedArguments) {}
    func perform() throws(UsageError) -> ExitCode { .infrastructure }
}
