import Glibc

/// The limits of open file descriptors at the start of this process.
///
/// A server raises its limit; a command of `mynah exec` gets the original one, which it may rely on.
struct DescriptorLimit: Sendable {
    private let inherited: rlimit

    /// Raises the soft limit of this process to the hard one.
    static func raise() -> DescriptorLimit {
        var inherited = rlimit()
        // The calls fail only for an unknown resource or for values that didn't come from the system.
        getrlimit(resource, &inherited)
        DescriptorLimit.set(inherited.rlim_max, of: inherited)
        return DescriptorLimit(inherited: inherited)
    }

    /// Calls `spawn` with the inherited limit, which a child copies at that moment.
    func inherit<Result>(_ spawn: () -> Result) -> Result {
        DescriptorLimit.set(inherited.rlim_cur, of: inherited)
        defer { DescriptorLimit.set(inherited.rlim_max, of: inherited) }
        return spawn()
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    private static func set(_ soft: rlim_t, of limit: rlimit) {
        var limit = limit
        limit.rlim_cur = soft
        setrlimit(resource, &limit)
    }
}
