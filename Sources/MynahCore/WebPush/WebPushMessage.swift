internal import APNsRules

/// What a browser makes of a decrypted push (`WebPush#What-the-user-sees`).
package struct WebPushMessage: Sendable, Hashable {
    /// The notification to show: the declared one, or the default service worker's.
    package let notification: WebNotification
    /// Whether the push declares its notification, so that no worker is woken and nothing can be left unshown.
    package let isDeclarative: Bool
    /// Why a push with `web_push` is not declarative, a sentence.
    package let problem: String?

    /// Reads a push, which is a push event without data if it is empty.
    ///
    /// - Parameters:
    ///   - origin: The web app's origin, which is its topic.
    ///   - systemProblem: Why the device's system knows no declarative messages, a sentence; `nil` if it does.
    package init(_ plaintext: [UInt8], origin: String, systemProblem: String? = nil) {
        let strict = try? JSONValue(parsing: plaintext)
        let value = strict ?? (try? JSONValue(parsingLeniently: plaintext))
        var problem: String?
        if let value, let mark = value["web_push"] {
            do throws(InputError) {
                guard mark.integer == DeclaredNotification.mark else {
                    throw .undeclared("web_push is \(mark.encodedText): expected \(DeclaredNotification.mark)")
                }
                var declared = try DeclaredNotification(value)
                if let systemProblem { throw .undeclared(systemProblem) }
                if strict == nil {
                    declared.notification.warn("it has a comma before a closing bracket: W3C's Push API refuses that")
                }
                self.init(declared.notification, isDeclarative: true, problem: nil)
                return
            } catch { problem = error.problem }
        }
        let classic = WebPushMessage.classicNotification(plaintext, value, origin: origin, problem: problem)
        self.init(classic, isDeclarative: false, problem: problem)
    }

    private init(_ notification: WebNotification, isDeclarative: Bool, problem: String?) {
        self.notification = notification
        self.isDeclarative = isDeclarative
        self.problem = problem
    }

    // The default worker shows `title` and `body` of a JSON object or of its member `notification`, or the text.
    private static func classicNotification(
        _ plaintext: [UInt8], _ value: JSONValue?, origin: String, problem: String?
    ) -> WebNotification {
        func text(_ name: String) -> String? { value?["notification"]?[name]?.string ?? value?[name]?.string }
        func number(_ name: String) -> Int64? { value?["notification"]?[name]?.integer ?? value?[name]?.integer }
        let title = text("title")
        let body = text("body")
        var notification = WebNotification(title: title ?? origin)
        notification.body = body
        if title == nil, body == nil, !plaintext.isEmpty {
            notification.body = String(decoding: plaintext, as: UTF8.self)
        }
        notification.badge = (number("app_badge") ?? number("badge")).flatMap { $0 < 0 ? nil : $0 }
        notification.navigate = text("navigate") ?? text("url") ?? value?["data"]?["url"]?.string
        notification.details = .given(("tag", .given(text("tag"))), ("icon", .given(text("icon"))))
        if let problem { notification.warn("not declarative: \(problem)") }
        return notification
    }
}

/// A notification that a push declares, read by WebKit's rules (`WebPush#Declarative-messages`).
struct DeclaredNotification {
    /// The number in `web_push`: the RFC's.
    static let mark: Int64 = 8030
    private static let directions = ["auto", "ltr", "rtl"]
    /// Members of the message, and of its notification.
    private static let outerNames = ["web_push", "notification", "app_badge", "mutable"]
    private static let names = [
        "title", "navigate", "body", "lang", "dir", "tag", "icon", "silent", "data", "app_badge", "mutable", "image",
        "badge", "vibrate", "timestamp", "renotify", "requireInteraction", "actions",
    ]

    var notification: WebNotification

    init(_ message: JSONValue) throws(InputError) {
        let name = "notification"
        guard let declared = message[name], declared.object != nil else {
            throw .undeclared("\(name) is \(message[name]?.kind ?? "missing"): expected an object")
        }
        guard let title = try DeclaredNotification.text("title", of: declared, isOptional: false), !title.isEmpty else {
            throw .undeclared("\(name).title is missing or empty: expected a text")
        }
        guard let navigate = try DeclaredNotification.text("navigate", of: declared, isOptional: false) else {
            throw .undeclared("\(name).navigate is missing: expected an absolute URL")
        }
        let address = WebURL(navigate)
        guard address?.isAbsolute == true else {
            throw .undeclared(
                "\(name).navigate is \"\(navigate)\": expected an absolute URL",
                isRefusedByWebKitAlone: address != nil)
        }
        notification = WebNotification(title: title)
        notification.navigate = navigate
        notification.body = try DeclaredNotification.text("body", of: declared)
        for member in ["lang", "tag", "icon", "dir"] {
            guard let text = try DeclaredNotification.text(member, of: declared) else { continue }
            if member == "dir", !DeclaredNotification.directions.contains(text) {
                throw .undeclared(
                    "\(name).dir is \"\(text)\": expected auto, ltr or rtl", isRefusedByWebKitAlone: true)
            }
            if member == "icon", WebURL(text)?.isAbsolute != true {
                throw .undeclared(
                    "\(name).icon is \"\(text)\": expected an absolute URL", isRefusedByWebKitAlone: true)
            }
            notification.details.append(JSONMember(member, .string(text)))
        }
        notification.isSilent = try DeclaredNotification.truth("silent", in: [declared]) ?? false
        // Only checked, since the declared notification is shown always (`WebPush#Declarative-messages`).
        _ = try DeclaredNotification.truth("mutable", in: [message, declared])
        if let badge = message["app_badge"] ?? declared["app_badge"] {
            notification.badge = try DeclaredNotification.badge(badge)
            if badge.string != nil { notification.warn("app_badge is text; W3C's Push API ignores it") }
        }
        for member in ["app_badge", "mutable"] where message[member] == nil && declared[member] != nil {
            notification.warn("\(member) is in notification: W3C's Push API has it beside notification")
        }
        for member in message.object ?? [] where !DeclaredNotification.outerNames.contains(member.name) {
            notification.warn("\(member.name) is unknown and ignored")
        }
        for member in declared.object ?? [] where !DeclaredNotification.names.contains(member.name) {
            notification.warn("notification.\(member.name) is unknown and ignored")
        }
        let actions = declared["actions"].map { $0.array ?? [.null] } ?? []
        if actions.contains(where: { $0["navigate"]?.string.flatMap(WebURL.init) == nil }) {
            notification.warn("notification.actions: expected an array of objects, each with a URL in navigate")
        }
    }

    private static func text(
        _ name: String, of declared: JSONValue, isOptional: Bool = true
    ) throws(InputError) -> String? {
        guard let value = declared[name] else { return nil }
        guard let text = value.string else {
            throw .undeclared(
                "notification.\(name) is \(value.kind): expected a text", isRefusedByWebKitAlone: isOptional)
        }
        return text
    }

    /// A truth value from the first of two objects that has the member.
    private static func truth(
        _ name: String, in objects: [JSONValue]
    ) throws(InputError) -> Bool? {
        guard let value = objects.lazy.compactMap({ $0[name] }).first else { return nil }
        guard let truth = value.bool else {
            throw .undeclared(
                "\(name) is \(value.kind): expected true or false", isRefusedByWebKitAlone: true)
        }
        return truth
    }

    /// A badge from a number or digits; an empty text is no badge, and a number that the icon can't show is the highest
    /// one that it can.
    private static func badge(_ value: JSONValue) throws(InputError) -> Int64? {
        let expected = "expected a whole number from 0 to 2^64-1, or its digits"
        if value.string?.isEmpty == true { return nil }
        let number: UInt64? =
            switch value {
            case .string(let digits) where digits.utf8.allSatisfy(\.isASCIIDigit): UInt64(digits)
            case .number(let number): UInt64(number.text) ?? UInt64(exactly: number.double)
            default: nil
            }
        guard let number else {
            throw .undeclared("app_badge is \(value.encodedText): \(expected)", isRefusedByWebKitAlone: true)
        }
        return Int64(clamping: number)
    }
}

extension InputError {
    /// Why a push declares no notification.
    ///
    /// - Parameter isRefusedByWebKitAlone: whether W3C's Push API would accept it.
    fileprivate static func undeclared(_ problem: String, isRefusedByWebKitAlone: Bool = false) -> InputError {
        InputError(at: "", problem + (isRefusedByWebKitAlone ? " (W3C's Push API would accept it)" : ""))
    }
}

extension WebNotification {
    mutating func warn(_ warning: String) { warnings.append(warning) }
}
