internal import APNsRules

/// What a browser makes of a decrypted push (`WebPush#What-the-user-sees`).
package struct WebPushMessage: Sendable, Hashable {
    /// What is shown: the declared notification, or that of the default service worker.
    package let notification: WebNotification
    /// Whether the push declares its notification, so that no worker is woken and nothing can be left unshown.
    package let isDeclarative: Bool
    /// Whether a worker may replace the declared notification.
    package let isMutable: Bool
    /// Why a push with `web_push` is not declarative, a sentence.
    package let problem: String?

    /// Reads a push, which is a push event without data if it is empty.
    ///
    /// - Parameters:
    ///   - origin: that of the web app, its topic.
    ///   - systemProblem: Why the device's system knows no declarative messages, a sentence; `nil` if it does.
    package init(_ plaintext: [UInt8], origin: String, systemProblem: String? = nil) {
        let (value, isLax) = WebPushMessage.document(plaintext)
        var problem: String?
        if let value, let mark = value["web_push"] {
            do throws(InputError) {
                guard mark.integer == DeclaredNotification.mark else {
                    throw .undeclared("web_push is \(mark.encodedText): expected \(DeclaredNotification.mark)")
                }
                var declared = try DeclaredNotification(value)
                if let systemProblem { throw .undeclared(systemProblem) }
                if isLax {
                    declared.notification.warn("it has a comma before a closing bracket: W3C's Push API refuses that")
                }
                self.init(declared.notification, isDeclarative: true, isMutable: declared.isMutable, problem: nil)
                return
            } catch { problem = error.problem }
        }
        let classic = WebPushMessage.classicNotification(plaintext, value, origin: origin, problem: problem)
        self.init(classic, isDeclarative: false, isMutable: false, problem: problem)
    }

    private init(_ notification: WebNotification, isDeclarative: Bool, isMutable: Bool, problem: String?) {
        self.notification = notification
        self.isDeclarative = isDeclarative
        self.isMutable = isMutable
        self.problem = problem
    }

    // The default worker shows `title` and `body` of JSON, those of its `notification`, or the text.
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

    /// The JSON of a text; `isLax` is whether it has commas before closing brackets, which WebKit ignores.
    private static func document(_ bytes: [UInt8]) -> (value: JSONValue?, isLax: Bool) {
        if let value = try? JSONValue(parsing: bytes) { return (value, false) }
        return (try? JSONValue(parsing: withoutLastCommas(bytes)), true)
    }

    private static func withoutLastCommas(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var comma: Int?
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte), let place = comma {
                kept.remove(at: place)
                comma = nil
            } else if byte == UInt8(ascii: ",") {
                comma = kept.count
            } else if !" \t\r\n".utf8.contains(byte) {
                comma = nil
                isInString = byte == UInt8(ascii: "\"")
            }
            kept.append(byte)
        }
        return kept
    }
}

/// A notification that a push declares, read by WebKit's rules (`WebPush#Declarative-messages`).
struct DeclaredNotification {
    /// The number in `web_push`: the RFC's.
    static let mark: Int64 = 8030
    private static let directions = ["auto", "ltr", "rtl"]
    private static let names = [
        "title", "navigate", "body", "lang", "dir", "tag", "icon", "silent", "data", "app_badge", "mutable", "image",
        "badge", "vibrate", "timestamp", "renotify", "requireInteraction", "actions",
    ]

    var notification: WebNotification
    let isMutable: Bool

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
        guard DeclaredNotification.isAbsolute(navigate) else {
            throw .undeclared(
                "\(name).navigate is \"\(navigate)\": expected an absolute URL", isRefusedByWebKitAlone: true)
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
            if member == "icon", !DeclaredNotification.isAbsolute(text) {
                throw .undeclared(
                    "\(name).icon is \"\(text)\": expected an absolute URL", isRefusedByWebKitAlone: true)
            }
            notification.details.append(JSONMember(member, .string(text)))
        }
        notification.isSilent = try DeclaredNotification.truth("silent", in: [declared]) ?? false
        isMutable = try DeclaredNotification.truth("mutable", in: [message, declared]) ?? false
        if let badge = message["app_badge"] ?? declared["app_badge"] {
            notification.badge = try DeclaredNotification.badge(badge)
            if badge.string != nil { notification.warn("app_badge is text; W3C's Push API ignores it") }
        }
        for member in ["app_badge", "mutable"] where message[member] == nil && declared[member] != nil {
            notification.warn("\(member) is in notification: W3C's Push API has it beside notification")
        }
        for member in declared.object ?? [] where !DeclaredNotification.names.contains(member.name) {
            notification.warn("notification.\(member.name) is unknown and ignored")
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

    /// A member of the first object that has it.
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

    /// A number, or digits; no digits are no badge, and numbers above those of the icon are its highest.
    private static func badge(_ value: JSONValue) throws(InputError) -> Int64? {
        let expected = "expected a whole number from 0 to 2^64-1, or its digits"
        let digits = value.string ?? value.integer.map { "\($0)" }
        guard let digits, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .undeclared("app_badge is \(value.encodedText): \(expected)", isRefusedByWebKitAlone: true)
        }
        if digits.isEmpty { return nil }
        guard let number = UInt64(digits) else {
            throw .undeclared("app_badge is \(digits): \(expected)", isRefusedByWebKitAlone: true)
        }
        return Int64(clamping: number)
    }

    /// Whether a text is a URL with a scheme (RFC 3986 §4.3) and no blanks.
    private static func isAbsolute(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/[^\s\/?#]+[^\s]*|[^\s\/][^\s]*)/) != nil
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
