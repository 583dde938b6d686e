package import APNsRules

/// A push whose payload is parsed when something first asks for what is in it, once for all members and conditions.
package struct DecodedPush {
    package let view: PushView
    package init(_ view: PushView) { self.view = view }

    private lazy var parsed = view.parsePayload()
    /// The body as JSON; `nil` if it is not JSON or only its beginning was kept.
    package private(set) lazy var payload = try? parsed.get()
    package private(set) lazy var warnings = view.warnings(parsed)
    /// Whether the user saw the push.
    package private(set) lazy var isShown = view.isShown(payload: payload)
    /// What the user heard.
    package private(set) lazy var sound = view.sound(payload: payload)
    /// What happened to the push, step by step.
    package private(set) lazy var timeline = view.timeline(isShown: isShown, sound: sound)
    /// What the push did to the device's screen when it arrived; see ``PushView/screen(payload:)``.
    private(set) lazy var screen = view.screen(payload: payload)
    /// What only a web push has.
    package private(set) lazy var webPush = view.webPushJSON
    /// The texts of the push in lower case.
    private(set) lazy var searchText =
        payload?.searchText ?? String(decoding: view.content, as: UTF8.self).lowercased()
    /// What was sent, or else what topic and payload imply.
    private(set) lazy var pushType = view.pushType(payload: view.givenPushType == nil ? payload : nil)
}
