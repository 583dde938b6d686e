internal import APNsRules

/// What a condition is about.
package enum FilterField: Hashable, Sendable {
    case key(FilterKey)
    /// A place in a document.
    case place(FilterDocument, JSONPointer)
    /// The whole payload, for a subset.
    case payloadIncludes
    /// The values of a header, by its lower-case name.
    case header(String)

    /// Where the field is in a push as the control API prints it.
    package var pointer: String {
        switch self {
        case .key(let key): key.facts.place ?? "/" + key.rawValue
        case .payloadIncludes: "/payload"
        case .place(let document, let pointer): "/\(document.rawValue)\(pointer)"
        case .header(let name): JSONPointer(steps: ["headers", name]).description
        }
    }

    /// The field's name in a condition; a place in a document is written as on a line.
    var name: String {
        switch self {
        case .key(let key): key.rawValue
        case .payloadIncludes: "payloadIncludes"
        case .place(let document, let pointer): "\(document.rawValue):\(pointer)"
        case .header(let name): "the header \(name)"
        }
    }

    /// The field's name in front of the words of a matcher.
    fileprivate var words: String {
        switch self {
        case .key(let key): key.rawValue
        case .payloadIncludes: "payload includes"
        case .place(let document, let pointer): "\(document.rawValue) \(pointer)"
        case .header(let name): "\(name):"
        }
    }

    /// Whether a text is the name of a header field (RFC 9110 §5.6.2), in lower case as RFC 9113 §8.2 wants it.
    static func isHeaderName(_ name: String) -> Bool {
        name.utf8.count <= Limits.headerListBytesMax && HTTPField.isName(name)
    }

    /// Refuses a condition that no header of a request meets; `place` is the header's in a `match` object.
    static func check(
        header name: String, _ matcher: Matcher, of subject: FilterSubject, at place: String
    ) throws(InputError) {
        guard !name.hasPrefix(":") else {
            throw InputError(at: place, "pseudo-headers can't be matched: expected a header's name")
        }
        guard isHeaderName(name) else {
            throw InputError(at: place, "\"\(name)\" is not a header's name: expected one, like user-agent")
        }
        try checkSpelling(of: name, among: knownHeaders, at: place)
        // A fault rule has its own words for the answer.
        guard subject != .pushes || !answerHeaders.contains(name) else {
            throw InputError(
                at: place, "no request has \(name), so it could never match: expected a header of requests")
        }
        let key = FieldName.allCases.first { $0.text == name }.flatMap(FilterKey.init(of:))
        for operand in matcher.operands where operand != .null {
            guard let text = operand.string else {
                throw .mismatch(operand, at: place, expected: "a string, as all values of headers are")
            }
            if name == FieldName.authorization.text, !isKept(text) {
                throw InputError(
                    at: place,
                    "authorization is kept without its signature, so this value could never match: expected team or "
                        + "keyId, or prefix with what stands before the signature")
            }
            if let alphabet = key?.facts.alphabet, let key, !alphabet.isValue(text) {
                let meant = Meaning.hint(text, of: key, isHeader: true).map { "; \($0)" } ?? ""
                throw .mismatch(.string(text), at: place, expected: "\(alphabet.noun), like \(key.example)\(meant)")
            }
        }
    }

    /// Whether a value of `authorization` is kept as it is, by one of the two services, or is what they keep of one with a
    /// signature.
    private static func isKept(_ value: String) -> Bool {
        [value, value + ".x"].contains { given in
            AuthorizationValue(Array(given.utf8)).withoutSignature == value
                || VapidCredential.withoutSignature(given) == value
        }
    }

    /// Header fields of answers alone (RFC 9110 §10.2, §11.6, §15; RFC 6265).
    static let answerHeaders: Set<String> = [
        "accept-ranges", "age", "apns-unique-id", "etag", "location", "proxy-authenticate", "retry-after", "server",
        "set-cookie", "www-authenticate",
    ]

    /// The headers that rules read, and what else providers, proxies and tracing send; any other may be sent too.
    private static let knownHeaders =
        FieldName.allCases.map(\.text).filter { !$0.isEmpty && !$0.hasPrefix(":") }
        + [
            "content-encoding", "crypto-key", "encryption", "ttl", "urgency", "topic", "accept", "accept-encoding",
            "accept-language", "content-language", "priority", "proxy-authorization", "request-id", "traceparent",
            "tracestate",
        ] + answerHeaders.sorted()

    /// Refuses a name that is nearly the one of a known header, or lacks the beginning or the end of one, unless it begins
    /// as names that a provider may invent.
    static func checkSpelling(of name: String, among known: [String], at place: String) throws(InputError) {
        guard !name.hasPrefix("x-"), !known.contains(name), name.utf8.count >= headerNameBytesMin else { return }
        let completed = known.first { $0 == "apns-" + name || name.hasPrefix("apns-") && $0.hasPrefix(name + "-") }
        let meant =
            completed ?? Spelling.nearest(to: name, among: known.filter { $0.utf8.count >= headerNameBytesMin })
        guard let meant else { return }
        throw InputError(
            .unknownName, at: place, "unknown header \"\(name)\"", hint: ": did you mean \"\(meant)\"?", allowed: known)
    }

    /// Shorter names are too near to each other to be taken for misspelt ones.
    private static let headerNameBytesMin = 6

    /// What it costs to find the field's values.
    var cost: FilterCost {
        switch self {
        case .key(let key): key.facts.cost
        case .header: .headers
        case .place(let document, _): document.facts.cost
        case .payloadIncludes: .payload
        }
    }
}

extension FilterKey {
    /// The key whose values a header has.
    fileprivate init?(of header: FieldName) {
        switch header {
        case .apnsTopic: self = .topic
        case .apnsChannelID: self = .channel
        default: return nil
        }
    }
}

extension Filter.Condition {
    /// What must hold, as part of a sentence.
    package var words: String { "\(field.words) \(matcher.words)" }
}
