import APNsRules

@testable import MynahCore

extension DeviceTable {
    /// What contradicts itself in the table.
    func brokenInvariants() -> [String] {
        var broken = devices.brokenInvariants() + tokens.brokenInvariants()
        var stored = 0
        var deferred = 0
        var following = 0
        // The constant traits and the constant scope have one use of their own.
        var traitUses: [Int32: Int] = [0: 1]
        var scopeUses: [Int32: Int] = [0: 1]
        var topicUses: [Int32: Int] = [:]
        for device in devices.places {
            traitUses[devices[device].traits, default: 0] += 1
            scopeUses[devices[device].scope, default: 0] += 1
            let name = id(of: device)
            if find(id: name) != device { broken.append("\(name) is not found by its id") }
            var dueAt = min(devices[device].screenDue ?? Device.never, devices[device].activitiesDue ?? Device.never)
            for activity in devices[device].detail.value?.activities.all ?? [] {
                broken += brokenInvariants(of: activity, on: device).map { "\(name), activity \(activity.id): \($0)" }
                if activity.isRunning, activity.channel != nil { following += 1 }
            }
            for slot in tokens.slots(of: devices[device]) {
                topicUses[tokens[slot].topic, default: 0] += 1
                let appState = tokens[slot].detail.value?.app.presentation.appState
                if tokens[slot].state == .notLaunched, appState?.isRunning == true {
                    broken.append("\(name): an app runs that was not launched")
                }
                let waiting = tokens[slot].detail.value?.waiting.all ?? []
                if tokens[slot].state != .active, !waiting.isEmpty {
                    broken.append("\(name): pushes wait for a token that has ended")
                }
                let single = waiting.map(\.place).filter { $0 != .deferred && $0 != .held }
                if Set(single).count != single.count { broken.append("\(name): two pushes in one place") }
                let alerts = waiting.filter { $0.place == .deferred }
                if alerts.count > StoredPushes.deferredCountMax {
                    broken.append("\(name): power holds back \(alerts.count) alerts")
                }
                let collapseIDs = alerts.compactMap { alert in alert.push.collapseID.map { alert.push.bytes[$0] } }
                if Set(collapseIDs).count != collapseIDs.count { broken.append("\(name): a collapse id waits twice") }
                stored += waiting.count { $0.place == .stored }
                deferred += waiting.count { $0.place != .stored }
                dueAt = waiting.reduce(dueAt) { min($0, $1.dueAt) }
                if devices[device].state.isOnline, waiting.contains(where: { $0.place == .stored }) {
                    broken.append("\(name) is online and something is stored for it")
                }
            }
            if dueAt != devices[device].dueAt { broken.append("\(name) does not know when something is due") }
        }
        if !devices.traits.isCounted(traitUses) { broken.append("traits are not counted right: \(traitUses)") }
        if !devices.scopes.isCounted(scopeUses) { broken.append("scopes are not counted right: \(scopeUses)") }
        if !tokens.topics.isCounted(topicUses) { broken.append("topics are not counted right: \(topicUses)") }
        if following != followers.count {
            broken.append("\(following) follow channels, \(followers.count) are indexed")
        }
        if stored != storedCount { broken.append("\(storedCount) stored are counted, \(stored) are there") }
        if deferred != deferredCount { broken.append("\(deferredCount) deferred are counted, \(deferred) are there") }
        return broken
    }

    private func brokenInvariants(of activity: LiveActivity, on device: Int32) -> [String] {
        var broken: [String] = []
        if let token = activity.token {
            guard let slot = tokens.find(token), tokens[slot].device == device,
                tokens.activity(of: slot) == activity.number
            else { return ["its token is not found"] }
            if tokens[slot].state.isCurrent != activity.isRunning {
                broken.append("its token lives as long as it does not")
            }
        }
        if let channel = activity.channel {
            let isFollowing = followers[channel].contains(ActivityPlace(device: device, number: activity.number))
            if isFollowing != activity.isRunning { broken.append("it follows its channel as long as it does not run") }
        }
        if activity.isRunning != (activity.endedAt == nil) { broken.append("it runs, and has ended") }
        if activity.history.count > LiveActivity.historyCountMax { broken.append("its history is too long") }
        return broken
    }
}
