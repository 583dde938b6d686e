package import APNsRules

/// What a push is for a device: a push type, or the update of a pass (`DeviceBehaviour#Pushes-that-are-not-alerts`;
/// `Documents`, `kind`).
package enum PushKind: String, CaseIterable, Sendable {
    case alert, background, location, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, widgets, controls
    /// Has Wallet ask for new passes.
    case pass

    package init(_ type: PushType) {
        self =
            switch type {
            case .alert: .alert
            case .background: .background
            case .location: .location
            case .voip: .voip
            case .complication: .complication
            case .fileprovider: .fileprovider
            case .mdm: .mdm
            case .liveactivity: .liveactivity
            case .pushtotalk: .pushtotalk
            case .widgets: .widgets
            case .controls: .controls
            }
    }

    /// The kind of a push, with the push type that was sent, if one was.
    ///
    /// What the topic names decides first, because each topic has a token of its own (inferred), then the push type that was
    /// sent, then the payload: `mdm` without `aps`, a silent wake-up, else an alert.
    package init(sent: PushType?, topic: Span<UInt8>, payload: JSONValue?) {
        if TopicKind(topic) == .pass {
            self = .pass
        } else if let type = Topic.impliedPushType(of: topic) ?? sent {
            self.init(type)
        } else if payload?["aps"] == nil, payload?["mdm"]?.string != nil {
            self = .mdm
        } else {
            self = PushType.isSilent(payload) ? .background : .alert
        }
    }
}
