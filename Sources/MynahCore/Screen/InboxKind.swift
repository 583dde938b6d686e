package import APNsRules

/// What an item of a device's inbox is, and where it arrives (`DeviceBehaviour#Pushes-that-are-not-alerts`;
/// `Documents`, `kind`).
package enum InboxKind: String, CaseIterable, Sendable {
    /// For the user.
    case alert
    /// For the app, unseen.
    case background
    /// For PushKit: a call.
    case voip
    /// For the watch app.
    case complication
    /// For the File Provider extension.
    case fileprovider
    /// For the location push service extension.
    case location
    /// For the device's management.
    case mdm
    /// For a Live Activity.
    case liveactivity
    /// For a Push to Talk channel.
    case pushtotalk
    /// For the app's widgets.
    case widgets
    /// For the app's controls.
    case controls

    /// The kind that a push type stands for.
    package init(_ pushType: PushType) {
        switch pushType {
        case .alert: self = .alert
        case .background: self = .background
        case .location: self = .location
        case .voip: self = .voip
        case .complication: self = .complication
        case .fileprovider: self = .fileprovider
        case .mdm: self = .mdm
        case .liveactivity: self = .liveactivity
        case .pushtotalk: self = .pushtotalk
        case .widgets: self = .widgets
        case .controls: self = .controls
        }
    }

    /// The kind of a push.
    ///
    /// A topic's suffix comes first, since its token is one of its own and leads there (inferred); then the push type;
    /// without one, what the payload looks like: `mdm` without `aps`, a silent wake-up, else an alert.
    package init(pushType: PushType?, topic: Span<UInt8>, payload: JSONValue?) {
        if let type = Topic.suffixedPushType(of: topic) ?? pushType {
            self.init(type)
            return
        }
        let aps = payload?["aps"]
        if aps == nil, payload?["mdm"]?.string != nil {
            self = .mdm
        } else {
            let isSilent = ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil }
            self = isSilent && aps?["content-available"]?.integer == 1 ? .background : .alert
        }
    }

    /// Whether the push is for the user's eyes, so that a ``Presentation`` of it is due.
    package var isPresented: Bool { self == .alert }
}
