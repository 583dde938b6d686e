internal import MynahSystem

/// A file that says which change of a log is being applied by a start, so that the next start knows which one has ended
/// the process.
///
/// It is written before each change, and outlives the process but not the machine's power, which is enough for that.
package final class ReplayMark {
    /// The place of a change: its batch, and its number in the batch from 0.
    package struct Place: Equatable, Sendable, CustomStringConvertible {
        package let position: UInt64
        package let index: Int
        package init(position: UInt64, index: Int) { (self.position, self.index) = (position, index) }
        package var description: String { "\(index) of batch \(position)" }
    }

    /// How many starts a change may end before it is left out.
    package static let endedMax = 2
    static let name = "starting"

    private let path: String
    private let file: Int32
    // The change that ended the last start, and how many it has ended.
    private let suspect: (place: Place, count: Int)?

    /// Opens the file of a folder, and reads what the last start left, if that ended early.
    package init(folder: String) throws(LogProblem) {
        let path = "\(folder)/\(ReplayMark.name)"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        (self.path, self.file) = (path, file)
        guard file >= 0 else { throw LogProblem(system: errno, file: path) }
        var words: [UInt64] = [0, 0, 0]
        let count = words.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard count == MemoryLayout<UInt64>.stride * words.count, let index = Int(exactly: words[1]),
            let times = Int(exactly: words[2])
        else {
            suspect = nil
            return
        }
        suspect = (Place(position: words[0], index: index), times)
    }

    deinit { close(file) }

    /// Notes that a change is applied next; returns `false` if it has ended too many starts and is to be left out.
    package func begin(_ place: Place) -> Bool {
        let ended = suspect?.place == place ? suspect?.count ?? 0 : 0
        guard ended < ReplayMark.endedMax else { return false }
        let words: InlineArray<3, UInt64> = [place.position, UInt64(place.index), UInt64(ended + 1)]
        words.span.withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, 0) }
        return true
    }

    /// Notes that all changes have been applied.
    package func end() { unlink(path) }
}
