package import APNsRules
internal import MynahSystem

/// The system's clock.
package enum WallClock {
    package static func now() -> Instant { Instant(milliseconds: systemMilliseconds()) }
}
