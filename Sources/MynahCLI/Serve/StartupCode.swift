import MynahClient
import MynahSystem

/// The pages of code that the start of this process has brought into memory.
enum StartupCode {
    /// Takes them out of resident memory, on systems that list them in `/proc/self/maps` (proc(5)).
    ///
    /// The system maps code in pieces of 64 KiB, so that the start brings in three quarters of it, and never unmaps any on
    /// its own. What still runs is mapped again from the file cache, each piece within microseconds.
    static func unmap() {
        for code in ranges(in: (try? FileAccess.readText("/proc/self/maps")) ?? "") {
            _ = madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, Int32(MADV_DONTNEED))
        }
    }

    /// The address ranges of code from files; constants are not among them, because the loader has changed some.
    static func ranges(in maps: String) -> [Range<UInt>] {
        maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
        }
    }
}
