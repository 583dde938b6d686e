package import APNsRules

/// A device as a call describes it (`Documents#Devices`).
package struct DeviceSpecification: Sendable, Equatable {
    /// `nil` to have one made.
    package var id: String?
    /// How many devices to make, with ids `<id>-00001` and on; `nil` for one with the id itself.
    package var count: Int?
    package var scope: String?
    package var traits = DeviceTraits()
    package var isOnline = true
    package var power = Power.normal
    package var focus: Focus?
    package var registrations: [RegistrationSpecification] = []

    package init(id: String? = nil) { self.id = id }

    /// The ids of all described devices, if it has an id.
    package var ids: [String] {
        guard let id else { return [] }
        guard let count else { return [id] }
        return (1...max(1, count)).map { number in
            let digits = String(number)
            return "\(id)-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        }
    }

    /// The given tokens that fall into other shards than the device, with their shards.
    package func foreignTokens(id: String, of shardCount: Int) -> [(token: DeviceToken, shard: Int)] {
        let home = DeviceTable.shard(ofID: id, of: shardCount)
        return registrations.compactMap(\.token).map { ($0, $0.shard(of: shardCount)) }.filter { $0.1 != home }
    }
}
