internal import MynahSystem

/// Figures of the process that Prometheus' client libraries export.
enum ProcessFigures {
    /// The processor time that this process has used, in user mode and in the kernel.
    static func cpuSeconds() -> Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

    /// The resident set size from `/proc/self/statm` (proc(5)); `nil` on systems without that file.
    static func residentBytes() -> Int? {
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
