/// The names of the header fields that rules read; every other name is `other`.
///
/// Recognised when a field arrives, so that no rule compares strings. The numbers are written out, because header blocks
/// hold them: one is never given to another name.
package enum FieldName: UInt8, CaseIterable, Sendable {
    case other = 0
    case method = 1
    case path = 2
    case scheme = 3
    case authority = 4
    case host = 5
    case authorization = 6
    case apnsID = 7
    case apnsTopic = 8
    case apnsPushType = 9
    case apnsExpiration = 10
    case apnsPriority = 11
    case apnsCollapseID = 12
    case apnsChannelID = 13
    case apnsRequestID = 14
    case contentLength = 15
    case contentType = 16
    case userAgent = 17

    package var text: String {
        switch self {
        case .other: ""
        case .method: ":method"
        case .path: ":path"
        case .scheme: ":scheme"
        case .authority: ":authority"
        case .host: "host"
        case .authorization: "authorization"
        case .apnsID: "apns-id"
        case .apnsTopic: "apns-topic"
        case .apnsPushType: "apns-push-type"
        case .apnsExpiration: "apns-expiration"
        case .apnsPriority: "apns-priority"
        case .apnsCollapseID: "apns-collapse-id"
        case .apnsChannelID: "apns-channel-id"
        case .apnsRequestID: "apns-request-id"
        case .contentLength: "content-length"
        case .contentType: "content-type"
        case .userAgent: "user-agent"
        }
    }

    package var textCount: Int {
        switch self {
        case .other: 0
        case .host: 4
        case .path: 5
        case .method, .scheme, .apnsID: 7
        case .authority, .apnsTopic, .userAgent: 10
        case .contentType: 12
        case .apnsPriority, .authorization: 13
        case .apnsPushType, .contentLength: 14
        case .apnsExpiration, .apnsChannelID, .apnsRequestID: 15
        case .apnsCollapseID: 16
        }
    }

    /// Whether a second field of this name is an error (DuplicateHeaders).
    package var mustNotRepeat: Bool {
        switch self {
        case .authorization, .apnsID, .apnsTopic, .apnsPushType, .apnsExpiration, .apnsPriority,
            .apnsCollapseID, .apnsChannelID, .apnsRequestID:
            true
        default: false
        }
    }

    /// Recognises a name in lower case.
    ///
    /// Packs up to 16 bytes into one integer, most significant first, and compares them at once, since this runs for
    /// every field of every push. A test compares the numbers with `text`.
    package init(_ name: Span<UInt8>) {
        let count = name.count
        guard count <= 16 else {
            self = .other
            return
        }
        var high: UInt64 = 0
        var low: UInt64 = 0
        if count >= 8 {
            high = name.word(at: 0) >> UInt64(8 * (16 - count))
            low = name.word(at: count - 8)
        } else {
            for index in 0..<count { low = low << 8 | UInt64(name[index]) }
        }
        switch (high, low) {
        case (0, 0x3A_6D65_7468_6F64): self = .method
        case (0, 0x3A70_6174_68): self = .path
        case (0, 0x3A_7363_6865_6D65): self = .scheme
        case (0x3A61, 0x7574_686F_7269_7479): self = .authority
        case (0, 0x686F_7374): self = .host
        case (0x61_7574_686F, 0x7269_7A61_7469_6F6E): self = .authorization
        case (0, 0x61_706E_732D_6964): self = .apnsID
        case (0x6170, 0x6E73_2D74_6F70_6963): self = .apnsTopic
        case (0x6170_6E73_2D70, 0x7573_682D_7479_7065): self = .apnsPushType
        case (0x61_706E_732D_6578, 0x7069_7261_7469_6F6E): self = .apnsExpiration
        case (0x61_706E_732D, 0x7072_696F_7269_7479): self = .apnsPriority
        case (0x6170_6E73_2D63_6F6C, 0x6C61_7073_652D_6964): self = .apnsCollapseID
        case (0x61_706E_732D_6368, 0x616E_6E65_6C2D_6964): self = .apnsChannelID
        case (0x61_706E_732D_7265, 0x7175_6573_742D_6964): self = .apnsRequestID
        case (0x636F_6E74_656E, 0x742D_6C65_6E67_7468): self = .contentLength
        case (0x636F_6E74, 0x656E_742D_7479_7065): self = .contentType
        case (0x7573, 0x6572_2D61_6765_6E74): self = .userAgent
        default: self = .other
        }
    }
}
