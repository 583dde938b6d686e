import MynahCore
import Testing

extension ByteCodable {
    /// The value as it is read again; its bytes are the same.
    func readAgain() throws -> Self {
        let read = try Self(coded: coded)
        #expect(read.coded == coded)
        return read
    }
}

/// Reads bytes that are damaged, each time at another place.
///
/// Each is a `CodingProblem` or a value, never a trap; at least one is a problem.
func expectNoTrap(
    _ bytes: [UInt8], count: Int, seed: UInt64, _ read: ([UInt8]) throws(CodingProblem) -> Void
) {
    var random = SeededGenerator(seed: seed)
    var problems = 0
    for _ in 0..<count {
        var damaged = bytes
        let place = Int.random(in: damaged.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: damaged[place] = random.byte()
        case 2: damaged.removeSubrange(place...)
        default: damaged.remove(at: place)
        }
        do throws(CodingProblem) { try read(damaged) } catch { problems += 1 }
    }
    #expect(problems > 0)
}
