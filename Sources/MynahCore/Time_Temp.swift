package import APNsRules
package struct ClockState: Sendable { package init() {}; package func now(wall: Instant) -> Instant { wall } }
