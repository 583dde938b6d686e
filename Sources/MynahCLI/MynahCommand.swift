import Mynah
import Logging
@main struct MynahCommand {
    static func main() async throws {
        var settings = Settings()
        settings.ports = [.init(port: 2197)]
        settings.cleartextPort = 2198
        if CommandLine.arguments.count > 1 { settings.eventLoops = Int(CommandLine.arguments[1]) }
        let server = try await Server.start(settings, logger: Logger(label: "mynah"))
        print("mynah ready \(server.ports)")
        try await Task.sleep(for: .seconds(100000))
        try await server.shutDown()
    }
}
