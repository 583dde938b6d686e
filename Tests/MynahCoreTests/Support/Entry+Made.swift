import APNsRules
import MynahCore

extension Entry {
    /// An entry as the push path would make it, of a request with these fields and this body.
    static func made(
        _ sequence: UInt64 = 1, at milliseconds: Int64 = 1_795_253_400_123, token: String? = Entry.aToken,
        id: String? = nil, generatedID: UInt128? = nil, headers: [(String, String)] = [], body: String = "",
        status: Int? = 200, refusal: Refusal? = nil, outcome: Outcome = .delivered,
        credential: JudgedCredential = .none, environment: APNsEnvironment = .sandbox, connection: UInt64 = 12
    ) -> Entry {
        var block = HeaderBlock()
        block.append(":method", "POST")
        block.append(":path", "/3/device/" + (token ?? ""))
        for (name, value) in headers {
            if name == "authorization" {
                block.appendAuthorization(valueCount: value.utf8.count)
            } else {
                block.append(name, value)
            }
        }
        let notificationID =
            id.flatMap { NotificationID($0) }
            ?? NotificationID(
                generated: generatedID ?? UInt128(sequence) << 64 | 0xABCD)
        let request = Candidate(
            PushRequest(headers: block, body: Array(body.utf8)), credential: credential, environment: environment,
            settings: RuleSettings(), receivedAt: Instant(milliseconds: milliseconds))
        var entry = Entry(
            request, id: notificationID, bytes: block.bytes + Array(body.utf8), connection: connection, stream: 3)
        entry.sequence = sequence
        entry.token = token.flatMap { DeviceToken($0) }
        entry.hasOwnID = id != nil
        entry.status = (refusal?.reason.status ?? status).map { Int16($0) }
        entry.outcome = refusal == nil ? outcome : .refused
        if let refusal { entry.recordRefusal(refusal) }
        return entry
    }

    /// The token of entries that name no other.
    static let aToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    /// Another token.
    static let anotherToken = String(repeating: "ab", count: 32)
    /// An `apns-id`.
    static let anID = "07C0F2E2-7CE0-71EC-D0D6-E7089220F778"
}
