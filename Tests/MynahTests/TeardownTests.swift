import APNsRules
import Logging
import NIOCore
import Testing

@testable import Mynah

@Suite("The end of a server")
struct TeardownTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    @Test("each step runs even if earlier ones threw, and the first error is reported")
    func steps() async {
        var taken: [Int] = []
        var teardown = Teardown()
        for number in 1...4 {
            await teardown.run {
                taken.append(number)
                if number.isMultiple(of: 2) { throw Failure(number: number) }
            }
        }
        #expect(taken == [1, 2, 3, 4])
        let error = #expect(throws: Failure.self) { try teardown.finish() }
        #expect(error == Failure(number: 2))
    }

    @Test("a listener that fails to close leaves nothing else running")
    func listener() async throws {
        var settings = Settings()
        settings.ports = [.init(port: 0)]
        settings.cleartextPort = 0
        settings.stateDirectory = nil
        settings.eventLoops = 1
        let server = try await Server(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let client = try await RawConnection(port: try #require(server.cleartextPort))
        let first = try #require(server.bound.channels.first)
        try await first.close()
        await #expect(throws: ChannelError.self) { try await server.shutDown() }
        #expect(server.bound.channels.allSatisfy { !$0.isActive })
        try await client.closed()
    }
}
