import MynahCore
import Testing

@testable import Mynah

/// The queue of the order: what becomes one batch, who waits for it, and what stays while a log fails.
@Suite struct OrderQueueTests {
    @Test func takesBatchesInTheirOrderAndReadersWithTheLast() throws {
        var queue = OrderQueue(batchBytesMax: OrderQueue.batchBytesMax)
        let size = 100_000
        for number in 0..<5 { queue.add(OrderQueueTests.change(number, size: size), for: OrderQueueTests.caller) }
        queue.readers.append(.init(catchesUp: false) { _ in })
        #expect(queue.byteCount > 5 * size)
        var numbers: [[Int]] = []
        var looks: [OrderApplier.LookWanted] = []
        while !queue.isEmpty {
            let (writer, taken) = queue.removeFirstBatch()
            numbers.append(try OrderQueueTests.numbers(in: writer))
            #expect(taken.askers.count == numbers.last?.count)
            looks.append(taken.look)
            queue.reuse(writer)
        }
        #expect(numbers == [[0, 1], [2, 3], [4]])
        #expect(looks == [.none, .none, .ifDue])
        #expect(queue.byteCount == 0)
    }

    @Test func aChangeThatIsLargerThanABatchIsOneAlone() throws {
        var queue = OrderQueue(batchBytesMax: OrderQueue.batchBytesMax)
        for (number, size) in [10, 300_000, 10].enumerated() {
            queue.add(OrderQueueTests.change(number, size: size), for: OrderQueueTests.caller)
        }
        var numbers: [[Int]] = []
        while !queue.isEmpty { numbers.append(try OrderQueueTests.numbers(in: queue.removeFirstBatch().0)) }
        #expect(numbers == [[0], [1], [2]])
    }

    @Test func keepsWhatCannotBeRefused() throws {
        var queue = OrderQueue(batchBytesMax: OrderQueue.batchBytesMax)
        func add(_ number: Int, isPatient: Bool) {
            let change = OrderQueueTests.change(number, size: 100_000)
            queue.add(change, for: isPatient ? .nobody(change) : OrderQueueTests.caller)
        }
        for number in 0..<6 { add(number, isPatient: number.isMultiple(of: 2)) }
        let inFlight = queue.removeFirstBatch().1
        let refused = queue.removeRefused()
        #expect(refused.askers.count == 2)
        #expect(refused.askers.allSatisfy { !$0.isPatient })
        add(6, isPatient: false)
        queue.putBack(inFlight)
        var numbers: [Int] = []
        while !queue.isEmpty { numbers += try OrderQueueTests.numbers(in: queue.removeFirstBatch().0) }
        #expect(numbers == [0, 2, 4, 6])
    }

    private static let caller = OrderQueue.Asker.call(CommandCall<ForgetChannels> { _ in })

    /// A change that is told by its first byte.
    private static func change(_ number: Int, size: Int) -> OrderedChange {
        ClusterChange.begin([UInt8(number)] + [UInt8](repeating: 0, count: size - 1)).ordered
    }

    private static func numbers(in writer: BatchWriter) throws -> [Int] {
        var reader = try BatchReader(writer.finish(digest: 0))
        var numbers: [Int] = []
        while case .ofLog(let change)? = try reader.next(in: { _ in fatalError("no pushes") }) {
            numbers.append(Int(change.bytes[0]))
        }
        return numbers
    }
}
