@main
enum ReferenceClient {
    static func main() {}
}
