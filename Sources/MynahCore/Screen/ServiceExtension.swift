package import APNsRules

/// An app's notification service extension, by what it does to a payload (`DeviceBehaviour#The-service-extension`).
package struct ServiceExtension: Sendable, Hashable {
    /// The time it has; when it has not finished the original is shown (documented).
    package static let timeMax: Duration = .seconds(30)
    /// Attachments of one notification; more are an error.
    package static let attachmentsMax = 32

    /// A merge patch on the payload (RFC 7396).
    package let rewrite: JSONValue
    /// How long it runs, by the clock.
    package let takes: Duration
    /// What it attaches: places in the payload that hold an address (`/media-url`), or addresses themselves.
    package let attachments: [String]

    /// An extension.
    package init(rewrite: JSONValue = [:], takes: Duration = .zero, attachments: [String] = []) {
        self.rewrite = rewrite
        self.takes = takes
        self.attachments = attachments
    }

    /// Whether it does not finish in time.
    ///
    /// One that takes exactly ``timeMax`` does (inferred).
    package var timesOut: Bool { takes > ServiceExtension.timeMax }

    static let schema: Schema = [
        Member("rewrite", .map(of: .any()), "A merge patch (RFC 7396) of the payload."),
        Member("takes", .duration(.zero...Form.durationMax)),
        Member(
            "attachments", .array(of: .anyText, 0...attachmentsMax),
            "Addresses, or JSON pointers to them in the payload."),
    ]

    init(_ json: JSONValue, at pointer: String) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, ServiceExtension.schema)
        rewrite = reader["rewrite"] ?? [:]
        takes = reader.duration("takes") ?? .zero
        attachments = reader.texts("attachments") ?? []
        for (index, text) in attachments.enumerated() where text.hasPrefix("/") {
            _ = try JSONPointer(text, at: reader.place("attachments", index))
        }
    }

    var json: JSONValue {
        [
            "rewrite": rewrite, "takes": .duration(takes),
            "attachments": .array(attachments.map { .string($0) }),
        ]
    }

    /// The attachments as the rewritten payload names them, and a warning for each place that names none.
    func attachments(in payload: JSONValue) -> (found: [String], warnings: [String]) {
        var found: [String] = []
        var warnings: [String] = []
        for attachment in attachments {
            guard attachment.hasPrefix("/") else {
                found.append(attachment)
                continue
            }
            let pointer = try? JSONPointer(attachment, at: "")
            if let text = pointer?.value(in: payload)?.string {
                found.append(text)
            } else {
                warnings.append("the service extension finds no attachment's address at \(attachment)")
            }
        }
        return (found, warnings)
    }
}
