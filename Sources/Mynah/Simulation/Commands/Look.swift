internal import MynahCore

/// Does what has fallen due on devices and channels and in scenarios, each at its own time, and tells what was to be told
/// by now; returns the time up to which.
struct Look: Command {
    func apply(to simulation: Simulation) -> DeviceTime { simulation.settle() }
}

extension Simulation {
    /// Does what ``Look`` does, as a part of another command.
    @discardableResult
    func settle() -> DeviceTime {
        let time = devices.time
        devices.settle(at: time)
        channels.settle(at: time.now)
        if faults.nextScenarioMoments.contains(where: { $0.at <= time.now(ofScope: $0.scope) }) {
            faults.advanceScenarios(at: time.now(ofScope:))
        }
        events.recordPending()
        watchDue(at: time)
        return time
    }

    /// Does what has fallen due, and notes the change of a device as an event; what a device that came online or began
    /// to follow a channel has missed arrives first; returns the device.
    @discardableResult
    func settleAndRecordChange(of id: String) throws(InputError) -> DeviceView {
        let time = settle()
        channels.catchUp(id)
        return try recordChange(of: id, at: time)
    }

    /// Records the change of a device as an event; returns the device.
    @discardableResult
    func recordChange(of id: String, at time: DeviceTime) throws(InputError) -> DeviceView {
        let view = try devices.view(of: id, at: time)
        events.record(.device(view.json, .changed))
        return view
    }
}

extension CommandKind {
    static let looks: Numbered = [
        1: Look.self
    ]
}
