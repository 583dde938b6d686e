internal import Glibc

/// The memory that this process occupies.
enum ResidentMemory {
    /// The resident set size from `/proc/self/statm` (proc(5)); `nil` on systems without that file.
    static func bytes() -> Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Seven numbers, in pages.
        let text = String(unsafeUninitializedCapacity: 256) { buffer in
            max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
