internal import APNsRules

/// An app's notification service extension, by what it does to a payload (`DeviceBehaviour#The-service-extension`).
struct ServiceExtension: Sendable, Hashable {
    /// The time that a service extension has; after it the original is shown (documented).
    static let timeMax: Duration = .seconds(30)
    /// The most attachments of a notification.
    private static let attachmentsMax = 32

    /// A merge patch of the payload (RFC 7396).
    var rewrite: JSONValue = [:]
    var takes = Duration.zero
    /// Addresses, or JSON pointers to them in the payload (`/media-url`).
    var attachments: [String] = []
    /// The sender of the message that it reports by an `INSendMessageIntent`: a name, or a JSON pointer to one in the
    /// payload (`/from`).
    var sender: String?
    /// Whether the service extension doesn't finish in time; one that takes exactly ``timeMax`` does (inferred).
    var timesOut: Bool { takes > ServiceExtension.timeMax }

    /// The sender's name, and a warning if the pointer leads to none.
    func sender(in payload: JSONValue) -> (name: String?, warnings: [String]) {
        guard let sender, sender.hasPrefix("/") else { return (sender, []) }
        if let name = (try? JSONPointer(sender, at: ""))?.value(in: payload)?.string { return (name, []) }
        return (nil, ["the service extension finds no sender's name at \(sender)"])
    }

    /// The addresses in the rewritten payload, and a warning for each pointer without an address.
    func attachments(in payload: JSONValue) -> (found: [String], warnings: [String]) {
        var found: [String] = []
        var warnings: [String] = []
        for attachment in attachments {
            if !attachment.hasPrefix("/") {
                found.append(attachment)
            } else if let text = (try? JSONPointer(attachment, at: ""))?.value(in: payload)?.string {
                found.append(text)
            } else {
                warnings.append("the service extension finds no attachment's address at \(attachment)")
            }
        }
        return (found, warnings)
    }
}

extension ServiceExtension: DescribedValue {
    static let formName = "ServiceExtension"

    static let fields: Fields<ServiceExtension> = [
        Field(
            Member("rewrite", .map(of: .any()), summary: "A merge patch (RFC 7396) of the payload."),
            json: { $0.rewrite }, set: { app, reader in app.rewrite = reader["rewrite"] ?? [:] }),
        Field("takes", \.takes, "How long it runs, by the clock.", default: .zero, isDefaultSaid: false),
        Field(
            "attachments", \.attachments, "Addresses, or JSON pointers to them in the payload.", default: [],
            form: .array(of: .anyText, 0...attachmentsMax),
            check: { attachments, place throws(InputError) in
                for (index, text) in attachments.enumerated() { try check(text, at: "\(place)/\(index)") }
            }),
        Field(
            "sender", \.sender,
            "The sender of a communication notification: a name, or a JSON pointer to it in the payload.",
            default: nil, form: .someText,
            check: { sender, place throws(InputError) in try check(sender ?? "", at: place) }),
    ]

    private static func check(_ text: String, at place: String) throws(InputError) {
        if text.hasPrefix("/") { _ = try JSONPointer(text, at: place) }
    }
}

extension ServiceExtension: ByteRecord {
    static let members = ByteMembers(ServiceExtension.init) {
        ($0.rewrite, $0.takes, $0.attachments, $0.sender)
    }
}
