internal import APNsRules

extension DeviceTable {
    /// What contradicts itself in the table; empty when all is well.
    ///
    /// Looks at everything, so it is for tests.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        var (deviceCount, stored, deferred, tokens, ids) = (0, 0, 0, 0, 0)
        for device in 0..<devices.end where devices[device].isOccupied {
            deviceCount += 1
            if devices[device].id != nil { ids += 1 }
            let name = id(of: device)
            if find(id: name) != device { broken.append("\(name) is not found by its id") }
            var dueAt = screenDue(device) ?? Device.never
            for slot in slots(of: device) {
                let state = registrations[slot].state
                if !state.lacksToken {
                    tokens += 1
                    if find(registrations[slot].token) != slot { broken.append("\(name) is not found by a token") }
                }
                let waiting = registrations[slot].rare.value?.waiting ?? []
                if state != .active, !waiting.isEmpty { broken.append("\(name): pushes wait for a dead token") }
                if Set(waiting.map(\.place)).count != waiting.count {
                    broken.append("\(name): two pushes in one place")
                }
                stored += waiting.count { $0.place == .stored }
                deferred += waiting.count { $0.place != .stored }
                dueAt = waiting.reduce(dueAt) { min($0, $1.dueAt) }
                if devices[device].isOnline, waiting.contains(where: { $0.place == .stored }) {
                    broken.append("\(name) is online and something is stored for it")
                }
            }
            if dueAt != devices[device].dueAt { broken.append("\(name) does not know when something is due") }
        }
        if deviceCount != count { broken.append("\(count) devices are counted, \(deviceCount) are there") }
        if stored != storedCount { broken.append("\(storedCount) stored are counted, \(stored) are there") }
        if deferred != deferredCount { broken.append("\(deferredCount) deferred are counted, \(deferred) are there") }
        if byToken.count != tokens { broken.append("\(byToken.count) tokens are indexed, \(tokens) are there") }
        if byID.count != ids { broken.append("\(byID.count) ids are indexed, \(ids) are there") }
        for (scope, heap) in dues.enumerated() {
            let due = (0..<devices.end).count {
                devices[$0].isOccupied && Int(devices[$0].scope) == scope && devices[$0].dueAt != Device.never
            }
            if due != dueDeviceCounts[scope] { broken.append("\(due) devices have something due, not the count") }
            if heap.count > 2 * due + 65 { broken.append("\(heap.count) items for \(due) devices with something due") }
        }
        return broken
    }
}
