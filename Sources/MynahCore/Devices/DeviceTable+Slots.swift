internal import APNsRules

// Where devices and registrations are, and how they are found.
extension DeviceTable {
    /// The shard of a device's id, of `shardCount`: of the token, when the id is the digits of one.
    package static func shard(ofID id: String, of shardCount: Int) -> Int {
        if let token = DeviceToken(id, byteCounts: 1...DeviceToken.byteCountMax) { return token.shard(of: shardCount) }
        return Int(hash(id) % UInt64(shardCount))
    }

    /// FNV-1a, mixed, so that its low bits choose a shard and its high bits a place.
    static func hash(_ text: String) -> UInt64 {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = (value ^ value >> 33) &* 0xff51_afd7_ed55_8ccd
        return value ^ value >> 29
    }

    /// The registration of a token.
    @inline(__always)
    func find(_ token: DeviceToken) -> Int32? {
        byToken.find(SlotIndex.tag(token.spread)) { registrations[$0].token == token }
    }

    /// The device with an id.
    func find(id: String) -> Int32? {
        if let named = byID.find(SlotIndex.tag(DeviceTable.hash(id)), { devices[$0].id == id }) { return named }
        guard let token = DeviceToken(id, byteCounts: 1...DeviceToken.byteCountMax), let slot = find(token) else {
            return nil
        }
        let device = registrations[slot].device
        return devices[device].id == nil && devices[device].first == slot ? device : nil
    }

    /// A device's id, the digits of its first token where nobody named it.
    func id(of device: Int32) -> String {
        devices[device].id ?? registrations[devices[device].first].token.hex
    }

    mutating func insert(_ device: consuming Device) -> Int32 {
        let id = device.id
        let slot = devices.insert(device)
        if let id { byID.insert(SlotIndex.tag(DeviceTable.hash(id)), slot) }
        count += 1
        return slot
    }

    /// Makes a registration its device's newest.
    mutating func append(_ registration: consuming Registration) -> Int32 {
        let device = registration.device
        let slot = registrations.insert(registration)
        guard devices[device].first >= 0 else {
            devices[device].first = slot
            return slot
        }
        var last = devices[device].first
        while registrations[last].next >= 0 { last = registrations[last].next }
        registrations[last].next = slot
        return slot
    }

    /// Lets a registration be found by its token.
    mutating func index(_ slot: Int32) {
        byToken.insert(SlotIndex.tag(registrations[slot].token.spread), slot)
    }

    /// The registrations of a device, oldest first.
    func slots(of device: Int32) -> [Int32] {
        var slots: [Int32] = []
        var slot = devices[device].first
        while slot >= 0 {
            slots.append(slot)
            slot = registrations[slot].next
        }
        return slots
    }

    /// Takes a registration out of its device's list and forgets it.
    mutating func drop(_ slot: Int32) {
        let device = registrations[slot].device
        if devices[device].first == slot {
            devices[device].first = registrations[slot].next
        } else {
            var before = devices[device].first
            while registrations[before].next != slot { before = registrations[before].next }
            registrations[before].next = registrations[slot].next
        }
        if !registrations[slot].state.lacksToken {
            byToken.remove(SlotIndex.tag(registrations[slot].token.spread), slot)
        }
        releaseTopic(registrations[slot].topic)
        registrations.remove(slot)
    }
}
