// The system's C library under one name, and what differs between systems beyond it. No other target imports a C library.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif

#if canImport(Glibc)
    /// The number of open files, as a resource of `getrlimit` and `setrlimit`.
    package var openFilesResource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
#else
    /// The number of open files, as a resource of `getrlimit` and `setrlimit`.
    package var openFilesResource: Int32 { RLIMIT_NOFILE }
#endif

/// Makes a socket for datagrams to a process of this machine, which programs started later don't inherit; -1 after an
/// error.
package func makeDatagramSocket() -> Int32 {
    #if canImport(Glibc)
        let kind = Int32(SOCK_DGRAM.rawValue)
    #else
        let kind = SOCK_DGRAM
    #endif
    let made = socket(AF_UNIX, kind, 0)
    guard made < 0 || fcntl(made, F_SETFD, FD_CLOEXEC) >= 0 else {
        close(made)
        return -1
    }
    return made
}

/// Sends without SIGPIPE, where the system has a flag for that; elsewhere the signal has to be ignored.
package var sendWithoutSignal: Int32 {
    #if canImport(Darwin)
        0
    #else
        Int32(MSG_NOSIGNAL)
    #endif
}

/// Whether this process ignores SIGHUP, as under `nohup`.
package var ignoresHangUp: Bool {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
        let handler = action.__sa_handler.sa_handler
    #else
        let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN isn't a real function pointer, so it is compared as an integer.
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// The resident set size from `/proc/self/statm` (proc(5)); `nil` on systems without that file.
package func residentByteCount() -> Int? {
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

/// Milliseconds since 1970 by the system's clock.
///
/// Read here, because a release build finds the members of C structures only where nothing but the C library is imported.
package func systemMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// The processor time that this process has used, in user mode and in the kernel, in seconds.
package func processorSeconds() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
        let process = __rusage_who_t(RUSAGE_SELF.rawValue)
    #else
        let process = RUSAGE_SELF
    #endif
    guard getrusage(process, &usage) == 0 else { return 0 }
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
}

/// A function that handles a signal and its cause.
package typealias SignalHandler =
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) ->
    Void

/// An action for `sigaction` that calls a handler, on the stack for signals if the thread has one.
package func signalAction(_ handler: @escaping SignalHandler) -> sigaction {
    var action = sigaction()
    action.sa_flags = CInt(SA_SIGINFO) | CInt(SA_ONSTACK)
    #if canImport(Darwin)
        action.__sigaction_u.__sa_sigaction = handler
    #elseif canImport(Musl)
        action.__sa_handler.sa_sigaction = handler
    #else
        action.__sigaction_handler.sa_sigaction = handler
    #endif
    return action
}

/// Whether a process has sent a signal, and not the system because of a fault.
package func isSent(_ signal: siginfo_t) -> Bool {
    #if canImport(Darwin)
        signal.si_code == SI_USER || signal.si_code == SI_QUEUE
    #else
        signal.si_code <= 0
    #endif
}

/// Whether another process has sent a signal.
package func isFromElsewhere(_ signal: siginfo_t) -> Bool {
    guard isSent(signal) else { return false }
    #if canImport(Darwin)
        return signal.si_pid != getpid()
    #elseif canImport(Musl)
        return signal.__si_fields.__si_common.__first.__piduid.si_pid != getpid()
    #else
        return signal._sifields._kill.si_pid != getpid()
    #endif
}
