package import APNsRules

/// A device as a call describes it (`Documents#Devices`).
package struct DeviceSpecification: Sendable, Equatable {
    /// Its id; `nil` leaves it to the caller to make one.
    package var id: String?
    /// How many devices to make, with ids `<id>-00001` and on; `nil`: one with the id itself.
    package var count: Int?
    /// Its scope.
    package var scope: String?
    /// What it is.
    package var traits = DeviceTraits()
    /// Whether APNs reaches it.
    package var isOnline = true
    /// Its power.
    package var power = Power.normal
    /// The Focus that is on.
    package var focus: Focus?
    /// Its apps.
    package var registrations: [RegistrationSpecification] = []

    /// An iPhone that is online and has no apps.
    package init(id: String? = nil) { self.id = id }

    /// The ids of all devices that it stands for, when it has an id.
    package var ids: [String] {
        guard let id else { return [] }
        guard let count else { return [id] }
        return (1...max(1, count)).map { number in
            let digits = String(number)
            return "\(id)-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        }
    }

    /// The given tokens that do not fall into the device's shard, and which shard each falls into.
    package func foreignTokens(id: String, of shardCount: Int) -> [(token: DeviceToken, shard: Int)] {
        let home = DeviceTable.shard(ofID: id, of: shardCount)
        return registrations.compactMap(\.token).map { ($0, $0.shard(of: shardCount)) }.filter { $0.1 != home }
    }
}
