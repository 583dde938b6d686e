/// `apns-push-type`: the eleven kinds of push (`ProviderAPI#Push-types-and-topics`).
public enum PushType: String, CaseIterable, Sendable {
    /// Shows something to the user.
    case alert
    /// Wakes the app without showing anything.
    case background
    /// Asks a location push service extension for the user's position.
    case location
    /// An incoming call, by PushKit.
    case voip
    /// Updates a watch complication.
    case complication
    /// Signals a File Provider extension.
    case fileprovider
    /// Makes a managed device contact its MDM server.
    case mdm
    /// Starts, updates or ends a Live Activity.
    case liveactivity
    /// A Push to Talk channel's event.
    case pushtotalk
    /// Reloads widgets.
    case widgets
    /// Reloads controls.
    case controls

    /// Reads the header's value, which is lower case; `nil` for an unknown one.
    public init?(_ text: Span<UInt8>) {
        // By length first, because comparing strings is slow.
        switch text.count {
        case 3: self = .mdm
        case 4: self = .voip
        case 5: self = .alert
        case 7: self = .widgets
        case 8: self = text[0] == 0x6C ? .location : .controls
        case 10: self = text[0] == 0x62 ? .background : .pushtotalk
        case 12: self = text[0] == 0x63 ? .complication : text[0] == 0x66 ? .fileprovider : .liveactivity
        default: return nil
        }
        guard text.equals(rawValue) else { return nil }
    }

    /// The type of a push that names none: the type that its topic implies, else `background` for a payload that only
    /// wakes the app, else `alert` (`ProviderAPI#Headers`); `nil` for an update of a pass, which has no type.
    package init?(impliedBy topic: Span<UInt8>?, payload: JSONValue?) {
        if let topic, TopicKind(topic) == .pass { return nil }
        if let topic, let type = Topic.impliedPushType(of: topic) {
            self = type
        } else {
            self = PushType.isSilent(payload) ? .background : .alert
        }
    }

    /// Whether a payload wakes the app and shows nothing.
    package static func isSilent(_ payload: JSONValue?) -> Bool {
        let aps = payload?["aps"]
        return visibleMembers(of: aps).isEmpty && ContentAvailable(aps).wakesApp
    }

    /// The members of `aps` by which the user sees or hears a push.
    package static func visibleMembers(of aps: JSONValue?) -> [String] {
        ["alert", "badge", "sound"].filter { aps?[$0] != nil }
    }

    /// What follows the bundle id in the topic; empty if the topic is the bundle id, and for `mdm`, whose topic is the UID
    /// of the MDM push certificate.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// Whether a push of this type can't be sent with a certificate (`ProviderAPI#Push-types-and-topics`).
    package var needsProviderToken: Bool { self == .location || self == .fileprovider }
    /// The most bytes a payload may have: 5120 for VoIP, 4096 for all else (`ProviderAPI#Payload-limits`).
    public var payloadBytesMax: Int { self == .voip ? Limits.voipPayloadBytesMax : Limits.payloadBytesMax }
    package static let suffixed: [PushType] = allCases.filter { !$0.topicSuffix.isEmpty }
}
