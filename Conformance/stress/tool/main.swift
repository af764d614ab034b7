import EventLoop
import Glibc
import Stress

let options: Options
do {
    options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
    if !CommandLine.arguments.contains("--help") { print("squall-stress: \(error.text)") }
    print(Options.usage)
    exit(CommandLine.arguments.contains("--help") ? 0 : 2)
}
var program = Program(options)
do {
    try program.run()
} catch {
    print("squall-stress: \(error)")
    exit(1)
}
exit(program.output.failed == 0 && program.output.passed > 0 ? 0 : 1)
