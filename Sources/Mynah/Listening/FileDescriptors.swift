internal import MynahSystem

/// The file descriptors of this process: how many it may have, and how many are reserved.
package enum FileDescriptors {
    /// The most descriptors that are reserved for the control API, files, name resolution and connections that several
    /// listeners accept at the same time.
    static let reserveMax = 64
    /// The part of a small limit that is reserved instead.
    private static let reserveDivisor = 4
    /// The number of reserved descriptors of a process that may have `limit`.
    static func reserve(ofLimit limit: Int) -> Int { min(reserveMax, limit / reserveDivisor) }

    /// The soft limit of this process, which may change while it runs.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(openFilesResource, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Whether a descriptor is free besides the reserved ones: the system gives out the lowest free number, so the
    /// number of a new descriptor says how many are in use.
    static var hasUnreserved: Bool {
        let limit = limit
        let probe = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard probe >= 0 else { return false }
        close(probe)
        return Int(probe) < limit - reserve(ofLimit: limit)
    }
}
