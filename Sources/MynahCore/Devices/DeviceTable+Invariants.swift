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
        var dueCounts: [Int32: Int] = [:]
        for device in 0..<devices.end where devices[device].isOccupied && devices[device].dueAt != Device.never {
            dueCounts[devices[device].scope, default: 0] += 1
        }
        if dues.mapValues(\.deviceCount) != dueCounts {
            broken.append("\(dueCounts) devices have something due, not the count")
        }
        for (scope, due) in dues where due.heap.count > 2 * due.deviceCount + 65 {
            broken.append("\(due.heap.count) items for \(due.deviceCount) devices of scope \(scope)")
        }
        return broken + brokenUseCounts()
    }

    /// Shared values that are kept without a use, or are not counted right.
    private func brokenUseCounts() -> [String] {
        var (traitUses, scopeUses, topicUses): ([Int32: Int], [Int32: Int], [Int32: Int]) = ([:], [:], [:])
        for device in 0..<devices.end where devices[device].isOccupied {
            traitUses[devices[device].traits, default: 0] += 1
            scopeUses[devices[device].scope, default: 0] += 1
            for slot in slots(of: device) { topicUses[registrations[slot].topic, default: 0] += 1 }
        }
        var broken: [String] = []
        if !traits.miscounted(traitUses).isEmpty { broken.append("traits are not counted right: \(traitUses)") }
        if !scopes.miscounted(scopeUses).isEmpty { broken.append("scopes are not counted right: \(scopeUses)") }
        if !topics.miscounted(topicUses).isEmpty { broken.append("topics are not counted right: \(topicUses)") }
        return broken
    }
}
