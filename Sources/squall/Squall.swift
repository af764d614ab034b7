@main
enum Squall {
    static func main() {}
}
