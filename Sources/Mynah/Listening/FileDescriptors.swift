internal import Glibc

/// The file descriptors of this process: how many it may have, and how many of them connections of providers leave to
/// everything else.
enum FileDescriptors {
    /// The most descriptors that connections of providers leave unused: the control API, files, name resolution and the
    /// connections that several listeners accept at the same time need them.
    static let reserveMax = 64
    /// The part of a small limit that is reserved instead.
    private static let reserveDivisor = 4

    /// The number of descriptors that are reserved when a process may have `limit`.
    static func reserve(ofLimit limit: Int) -> Int { min(reserveMax, limit / reserveDivisor) }

    /// The soft limit of this process, which may change while it runs.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Whether there is a descriptor beside the reserved ones.
    ///
    /// The system gives out the lowest free number, so the number of a new descriptor says how many are in use.
    static var hasUnreserved: Bool {
        let limit = limit
        let probe = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard probe >= 0 else { return false }
        close(probe)
        return Int(probe) < limit - reserve(ofLimit: limit)
    }
}
