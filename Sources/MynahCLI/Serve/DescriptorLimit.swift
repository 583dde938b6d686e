import Glibc

/// The limits of open file descriptors that this process was started with.
///
/// A server wants as many as it may have; a program that `mynah exec` runs may rely on what it would have had without it.
struct DescriptorLimit: Sendable {
    private let inherited: rlimit

    /// Raises the soft limit of this process to the hard one.
    static func raise() -> DescriptorLimit {
        var inherited = rlimit()
        // The calls fail only for an unknown resource, and for values that the system didn't give out itself.
        getrlimit(resource, &inherited)
        DescriptorLimit.set(inherited.rlim_max, of: inherited)
        return DescriptorLimit(inherited: inherited)
    }

    /// Calls `spawn` under the inherited limit, which a child gets from the process at that moment.
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
