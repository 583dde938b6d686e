internal import APNsRules

/// The devices on which something is due, in a heap for each scope's clock; outdated items stay in the heap, so an item
/// is compared with its device before it is used.
struct DueDevices: Sendable {
    private struct Item: Sendable, Comparable {
        let at: Instant
        let device: Int32
        static func < (one: Item, other: Item) -> Bool { one.at < other.at }

        func isCurrent(_ devices: Slab<Device>, _ scope: Int32) -> Bool {
            devices[device].dueAt == at && devices[device].scope == scope
        }
    }

    private struct Schedule: Sendable {
        var heap = MinHeap<Item>()
        var deviceCount = 0
    }

    private var schedules: [Int32: Schedule] = [:]
    /// The scopes that have devices with something due, by number.
    var scopes: [Int32] { schedules.keys.sorted() }

    /// Records that a device's ``Device/dueAt`` has changed.
    mutating func reschedule(_ device: Int32, dueBefore before: Instant, in devices: Slab<Device>) {
        let scope = devices[device].scope
        let dueAt = devices[device].dueAt
        var schedule = schedules.removeValue(forKey: scope) ?? Schedule()
        if before == Device.never { schedule.deviceCount += 1 }
        if dueAt == Device.never {
            schedule.deviceCount -= 1
        } else {
            schedule.heap.insert(Item(at: dueAt, device: device))
        }
        // The outdated items go with the last device.
        guard schedule.deviceCount > 0 else { return }
        if schedule.heap.count > 2 * schedule.deviceCount + 64 {
            var seen: Set<Int32> = []
            schedule.heap.removeAll { !$0.isCurrent(devices, scope) || !seen.insert($0.device).inserted }
        }
        schedules[scope] = schedule
    }

    /// Removes the first device of a scope that has something due by a time.
    mutating func popDue(by time: Instant, on scope: Int32, in devices: Slab<Device>) -> Int32? {
        guard let item = first(on: scope, in: devices), item.at <= time else { return nil }
        schedules[scope]?.heap.removeFirst()
        return item.device
    }

    /// When something is due next on a scope's clock.
    mutating func next(on scope: Int32, in devices: Slab<Device>) -> Instant? { first(on: scope, in: devices)?.at }

    // Drops the outdated items before the first one that counts.
    private mutating func first(on scope: Int32, in devices: Slab<Device>) -> Item? {
        while let item = schedules[scope]?.heap.first {
            if item.isCurrent(devices, scope) { return item }
            schedules[scope]?.heap.removeFirst()
        }
        return nil
    }

    /// The contradictions with `devices`, a sentence each; for tests.
    func brokenInvariants(_ devices: Slab<Device>) -> [String] {
        var counts: [Int32: Int] = [:]
        for device in devices.places where devices[device].dueAt != Device.never {
            counts[devices[device].scope, default: 0] += 1
        }
        var broken: [String] = []
        if schedules.mapValues(\.deviceCount) != counts { broken.append("\(counts) devices have something due") }
        for (scope, schedule) in schedules where schedule.heap.count > 2 * schedule.deviceCount + 65 {
            broken.append("\(schedule.heap.count) items for \(schedule.deviceCount) devices of scope \(scope)")
        }
        return broken
    }
}
