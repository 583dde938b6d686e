package import APNsRules

extension PushView {
    /// The push as the control API prints it, keys in the order of `Documents#Pushes`.
    package var json: JSONValue {
        let parsed = parsePayload()
        let payload = try? parsed.get()
        let isShown = isShown(payload: payload)
        var members: [JSONMember] = [
            JSONMember("sequence", .number(JSONNumber(entry.sequence))),
            JSONMember("apnsId", .string(entry.notificationID.text)),
            JSONMember("attempt", .number(JSONNumber(entry.attempt))),
            JSONMember("repeats", .whole(entry.repeats)),
            JSONMember("uniqueId", .text(entry.uniqueID?.text)),
            JSONMember("receivedAt", .string(entry.receivedAt.rfc3339)),
            JSONMember("environment", .string(entry.environment.rawValue)),
            JSONMember("connection", .number(JSONNumber(entry.connection))),
            JSONMember("stream", .number(JSONNumber(entry.stream))),
            JSONMember("credential", credentialJSON),
            JSONMember("token", .text(entry.token?.hex)),
            JSONMember("device", .text(device)),
            JSONMember("scope", .text(scope)),
            JSONMember("topic", .text(topic)),
            JSONMember("pushType", .string(pushType(payload: payload))),
            JSONMember("priority", .whole(priority?.rawValue)),
            JSONMember("expiration", expirationJSON),
            JSONMember("collapseId", .text(collapseID)),
            JSONMember("method", .text(method)),
            JSONMember("path", .text(path)),
            JSONMember("headers", .array(headers.map { [.string($0.name), .string($0.value)] })),
            JSONMember("payload", payload == nil ? .null : .raw(Array(entry.body))),
        ]
        if payload == nil { members.append(JSONMember("payloadBase64", .string(Base64.encode(entry.body)))) }
        members += [
            JSONMember("payloadSize", .number(JSONNumber(entry.bodyByteCount))),
            JSONMember("warnings", .array(warnings(parsed).map { .string($0) })),
            JSONMember("status", .whole(entry.status)),
            JSONMember("reason", .text(entry.reasonText)),
            JSONMember("timestamp", .whole(entry.timestamp?.milliseconds)),
            JSONMember("fault", .text(fault)),
            JSONMember("outcome", .string(entry.outcome.rawValue)),
            JSONMember("shown", .bool(isShown)),
            JSONMember(
                "timeline",
                .array(
                    timeline(isShown: isShown).map { event in
                        ["at": .string(event.at.rfc3339), "event": .string(event.event), "detail": .text(event.detail)]
                    })),
        ]
        return .object(members)
    }

    // A rejected credential has a kind and nothing else, because what it claims is not proved.
    private var credentialJSON: JSONValue {
        if let certificate {
            return ["kind": "certificate", "team": .null, "keyId": .null, "subject": .string(certificate.subject)]
        }
        guard identity != nil || entry.credential.authorization != nil else { return .null }
        return [
            "kind": "token", "team": .text(identity?.team), "keyId": .text(identity?.keyID), "subject": .null,
        ]
    }

    /// `null` if the header is absent or invalid, 0 if that was sent, else the time.
    private var expirationJSON: JSONValue {
        switch expiration {
        case nil, .storagePolicy: .null
        case .once: 0
        case .until(let instant): .string(instant.rfc3339)
        }
    }
}

extension JSONValue {
    /// A string, or `null`.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A whole number, or `null`.
    static func whole(_ number: (some FixedWidthInteger)?) -> JSONValue {
        number.map { .number(JSONNumber($0)) } ?? .null
    }
}
