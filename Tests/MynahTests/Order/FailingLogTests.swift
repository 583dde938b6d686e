import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import Mynah
@testable import MynahStore

/// A log in memory that can fail, as on a full disk; belongs to one loop.
private final class FailingLog: OrderLog {
    let applier: OrderApplier
    var warning: String?
    let lastPosition: UInt64 = 0
    private(set) var changeCount = 0
    private var isAway = false
    private var order: Order?
    private var position: UInt64 = 0

    init(_ applier: OrderApplier) { self.applier = applier }

    var words: OrderLogWords { OrderLogWords(refused: "it can't be kept", away: "nothing is kept", back: "it is kept") }

    func follow(_ order: Order) -> EventLoopFuture<Void> {
        self.order = order
        return order.loop.makeSucceededVoidFuture()
    }

    func append(_ batch: OrderApplier.Batch) {
        let problem = LogProblem(.full, file: "the log", "no space is left")
        guard !isAway else {
            order?.logFails(because: problem)
            order?.logRefused(because: problem)
            return
        }
        position += 1
        changeCount += batch.changeCount
        order?.logHas(
            LoggedBatch(position: position, time: batch.time, rules: OrderApplier.rulesVersion, bytes: batch.bytes))
    }

    func fail() {
        isAway = true
        order?.logFails(because: LogProblem(.full, file: "the log", "no space is left"))
    }

    func mend() {
        isAway = false
        order?.logIsBack()
    }

    func recordApplied(_ batch: LoggedBatch) {}
    func setOwner(_ owner: String) {}
    func end() -> EventLoopFuture<Void> { MultiThreadedEventLoopGroup.singleton.next().makeSucceededVoidFuture() }
}

@Suite("An order whose log fails")
struct FailingLogTests {
    /// Calls a body with an order, its log and the log's loop.
    private func with(
        _ body: (Order, NIOLoopBound<FailingLog>) async throws -> Void
    ) async throws {
        let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = thread.next()
        let (order, log) = try await loop.submit {
            let log = FailingLog(OrderApplier(CommandWorld.simulation(), lastTime: RuleWorld.start))
            var logger = Logger(label: "mynah.test")
            logger.logLevel = .critical
            let order = Order(
                NIOLoopBoundBox(log as any OrderLog, eventLoop: loop), batchBytesMax: log.batchBytesMax, on: thread,
                logger: logger)
            return (order, NIOLoopBound(log, eventLoop: loop))
        }.get()
        try await order.begin()
        try await body(order, log)
        try await order.end()
    }

    private let connectionFailed = NoteConnection(change: .failed, connection: ["id": 7])

    @Test("what has happened waits for a log that fails, however many bytes that are, and calls are refused")
    func eventsWait() async throws {
        try await with { order, log in
            let answered = try await order.perform(ForgetChannels())
            #expect(answered == .success(0))
            try await order.loop.submit { log.value.fail() }.get()
            // More than calls and pushes may take.
            let count = 70
            for _ in 0..<count { order.record(ClusterChange.begin([UInt8](repeating: 0, count: 1 << 20)).ordered) }
            order.record(connectionFailed)
            #expect(order.isFull)
            await #expect(throws: InputError.self) { try await order.perform(ForgetChannels()) }
            let (reports, report) = AsyncStream.makeStream(of: Bool?.self)
            order.record(CountIdleClose(rule: "f-1", age: nil)) { report.yield($0) }
            try await order.loop.submit { log.value.mend() }.get()
            var iterator = reports.makeAsyncIterator()
            #expect(await iterator.next() == .some(false))
            #expect(try await order.loop.submit { log.value.changeCount }.get() == count + 3)
            #expect(!order.isFull)
            #expect(try await order.perform(ForgetChannels()) == .success(0))
        }
    }
}
