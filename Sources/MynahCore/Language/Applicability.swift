internal import APNsRules

/// Which pushes have a value of a field of the filter language, and which values, as far as their shape tells.
struct Applicability: Sendable {
    /// Why the field goes only with some pushes, a clause; `nil` if it goes with all.
    let rule: String?
    /// Whether a push of a shape has a value.
    let presence: @Sendable (PushShape) -> PushShape.Presence
    /// The values that a push of a shape can have; `nil` if they are the same in all shapes.
    let values: (@Sendable (PushShape) -> PushShape.Values)?

    init(
        _ rule: String? = nil, presence: @escaping @Sendable (PushShape) -> PushShape.Presence = { _ in .always },
        values: (@Sendable (PushShape) -> PushShape.Values)? = nil
    ) {
        self.rule = rule
        self.presence = presence
        self.values = values
    }

    /// Every push has a value.
    static let always = Applicability()
    /// Any push may have a value.
    static let maybe = Applicability { _ in .maybe }

    /// What a push may have, but no web push; `name` is what the field is called.
    static func exceptWebPushes(_ name: String) -> Applicability {
        Applicability("a web push has no \(name)") { $0.kind == .webPush ? .never : .maybe }
    }

    /// What can only be true of a delivered push to a device; `what` completes "is …".
    static func onDevice(_ what: String) -> Applicability {
        Applicability(
            "only a delivered push to a device is \(what)", values: { .among($0.isOnDevice ? [true, false] : [false]) })
    }
}

extension FilterField {
    /// Which pushes have a value.
    var applicability: Applicability {
        switch self {
        case .key(let key): key.facts.applies
        case .place(let document, _): document.facts.applies
        case .payloadIncludes, .header: .maybe
        }
    }
}
