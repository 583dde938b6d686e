package import APNsRules

/// A device token that provokes one answer, and the id of a channel that does, for tests that control nothing but these.
package struct MagicToken: Sendable, Hashable {
    package let token: DeviceToken
    /// The id that does the same to requests that name it as their channel.
    package let channel: ChannelID
    /// The path segment that does the same to a web push.
    package let segment: String
    /// What the token does, a sentence without its subject.
    package let does: String
    package let action: FaultAction

    /// The status that the provider reads; `nil` if there is no answer.
    package var status: Int? { action.response?.status ?? (action.replacesReply ? nil : 200) }

    package var reason: String? {
        guard case .reason(let reason)? = action.response?.body else { return nil }
        return reason.text
    }

    package var json: JSONValue { .object(MagicToken.fields.members(of: self)) }

    package static let fields: Fields<MagicToken> = [
        Field(shown: "token", .anyText, "The device token.") { .string($0.token.hex) },
        Field(shown: "channel", .anyText, "The channel ID that does the same.") { .string($0.channel.text) },
        Field(
            shown: "segment", .anyText,
            "The path of a web push's endpoint that does the same, without its slash."
        ) { .string($0.segment) },
        Field(shown: "does", .anyText, "What it provokes, in a sentence.") { .string($0.does) },
        Field(shown: "status", .nullable(.whole), "The HTTP status of the answer; null if there is none.") {
            .whole($0.status)
        },
        Field(shown: "reason", .nullableText, "APNs' reason of a refusal; null for none.") { .text($0.reason) },
    ]
}

/// The table of magic tokens (`Documents`): one for each reason code, and one for each common fault.
///
/// A magic token is `badc0ffee0ddf00d` three times, then eight bytes that identify it. For a reason these are its
/// status as four decimal digits and its number among the reasons of that status, `…0410000000000001`; for a fault,
/// `fa17` and its number. The numbers never change, because tests have the tokens written down.
/// The id of the magic channel is `badc0ffee0ddf00d` and these eight bytes, in base64. The segment of the magic endpoint of
/// a web push is `Qbadc0ffee0ddf00d`, zeroes, and their digits.
///
/// An issued token, at least 16 of whose first 24 bytes are random, equals these with a probability of at most 1 in
/// 2^128. A token that is registered by hand is checked with ``magic(_:)``.
package enum MagicTokens {
    package static let leadingWord = ChannelID.magicWord
    /// What the journal has in place of a rule's id when a magic token acted.
    package static let ruleID = "magic-token"
    /// The magic tokens, reasons first, by status.
    package static let all: [MagicToken] = reasons + faults
    private static let byToken = Dictionary(uniqueKeysWithValues: all.map { ($0.token, $0) })
    private static let byChannel = Dictionary(uniqueKeysWithValues: all.map { ($0.channel, $0) })
    private static let bySegment = Dictionary(uniqueKeysWithValues: all.map { ($0.segment, $0) })
    // Segments of Apple's begin with the letter.
    private static let segmentPrefix = "Q" + String(leadingWord, radix: 16)

    /// What a token does if it is a magic one; costs one comparison of a word for any other.
    @inline(__always)
    package static func magic(_ token: DeviceToken) -> MagicToken? {
        guard token.leadingWord == leadingWord else { return nil }
        return byToken[token]
    }

    /// What the path segment of a web push does if it is a magic one.
    package static func magic(segment: String) -> MagicToken? {
        segment.hasPrefix(segmentPrefix) ? bySegment[segment] : nil
    }

    /// What a channel's id does if it is a magic one.
    package static func magic(_ channel: ChannelID) -> MagicToken? {
        channel.high == leadingWord ? byChannel[channel] : nil
    }

    package static func token(for reason: Reason) -> DeviceToken {
        token(code: "0\(reason.status)", number: reason.magicNumber)
    }

    package static func channel(for reason: Reason) -> ChannelID {
        channel(code: "0\(reason.status)", number: reason.magicNumber)
    }

    private static let reasons = Reason.allCases.sorted { ($0.status, $0.magicNumber) < ($1.status, $1.magicNumber) }
        .map { reason in
            MagicToken(
                token: token(for: reason), channel: channel(for: reason),
                segment: segment(code: "0\(reason.status)", number: reason.magicNumber),
                does: "answers \(reason.status) \(reason.rawValue)",
                action: FaultAction(.respond(FaultResponse(reason))))
        }

    private static let faults: [MagicToken] = [
        fault(1, "is never answered", by: .stall),
        fault(2, "is never answered, and the device gets it", by: .stall, deliver: true),
        fault(
            3, "is answered by RST_STREAM INTERNAL_ERROR", by: .wire(.resetStream(.internalError, afterHeaders: false))),
        fault(
            4, "is answered by RST_STREAM REFUSED_STREAM", by: .wire(.resetStream(.refusedStream, afterHeaders: false))),
        fault(
            5, "gets its HEADERS, then RST_STREAM INTERNAL_ERROR",
            by: .wire(.resetStream(.internalError, afterHeaders: true))),
        fault(
            6, "is answered after a GOAWAY with Shutdown, and the connection ends", by: .wire(.goAway(shutdown()))),
        fault(7, "is denied by a GOAWAY whose last stream is lower than its own", by: .wire(.goAway(shutdown(.lower)))),
        fault(8, "is answered 1 s late", by: .pass, delay: FaultDelay(.fixed(.seconds(1)))),
        fault(9, "is answered 10 s late", by: .pass, delay: FaultDelay(.fixed(.seconds(10)))),
        fault(10, "is answered 200 and never delivered", by: .lose),
        fault(11, "is delivered twice", by: .duplicate(times: 2)),
        fault(12, "is answered 200 and delivered a minute of the clock later", by: .deliverLate(by: .seconds(60))),
        fault(13, "gets the HEADERS of its answer and not its end", by: .wire(.truncate)),
        fault(14, "ends the connection by a TCP reset", by: .wire(.close(.rst, afterBytes: nil))),
        fault(15, "ends the connection without GOAWAY", by: .wire(.close(.fin, afterBytes: nil))),
        fault(
            16, "makes the connection half-open: nothing more is answered",
            by: .wire(.close(.halfOpen, afterBytes: nil))),
        fault(17, "is answered by a frame that breaks HTTP/2", by: .wire(.malformedFrame)),
        fault(18, "is answered by a frame larger than allowed", by: .wire(.oversizedFrame)),
        fault(19, "is answered 503 without a body", by: .respond(FaultResponse(status: 503))),
        fault(
            20, "is answered 400 with a reason that APNs does not have",
            by: .respond(FaultResponse(status: 400, body: .reason(FaultReason(text: "UnknownReason"))))),
        fault(
            21, "is answered 502 with HTML, as by a proxy in between",
            by: .respond(
                FaultResponse(
                    status: 502, body: .raw("<html><body>Bad Gateway</body></html>"),
                    headerChanges: [.set(name: "content-type", value: "text/html"), .remove(name: "apns-id")]))),
    ]

    private static func shutdown(_ last: WireGoAway.LastStreamID = .processed) -> WireGoAway {
        var goAway = WireGoAway()
        goAway.debugData = .reason(Reason.shutdown.rawValue)
        goAway.lastStreamID = last
        return goAway
    }

    private static func fault(
        _ number: Int, _ does: String, by kind: FaultAction.Kind, delay: FaultDelay? = nil, deliver: Bool? = nil
    ) -> MagicToken {
        MagicToken(
            token: token(code: "fa17", number: number), channel: channel(code: "fa17", number: number),
            segment: segment(code: "fa17", number: number), does: does,
            action: FaultAction(kind, delay: delay, deliver: deliver))
    }

    private static func token(code: String, number: Int) -> DeviceToken {
        let hex = String(repeating: String(leadingWord, radix: 16), count: 3) + lastDigits(code: code, number: number)
        guard let token = DeviceToken(hex) else { preconditionFailure("\(hex) is no token") }
        return token
    }

    private static func channel(code: String, number: Int) -> ChannelID {
        let digits = lastDigits(code: code, number: number)
        guard let low = UInt64(digits, radix: 16) else { preconditionFailure("\(digits) are no digits") }
        return ChannelID(high: leadingWord, low: low)
    }

    private static func segment(code: String, number: Int) -> String {
        let digits = lastDigits(code: code, number: number)
        let zeroes = WebPushLimits.segmentCharacters - segmentPrefix.utf8.count - digits.utf8.count
        return segmentPrefix + String(repeating: "0", count: zeroes) + digits
    }

    /// How the path of a magic endpoint is made of the token that does the same, a noun phrase.
    package static var segmentRule: String {
        let digitsCount = 16
        let zeroes = WebPushLimits.segmentCharacters - segmentPrefix.utf8.count - digitsCount
        return "\(segmentPrefix), \(zeroes) zeroes and the token's last \(digitsCount) digits"
    }

    // The last eight bytes, which identify a magic token.
    private static func lastDigits(code: String, number: Int) -> String {
        let zeroes = String(repeating: "0", count: 16 - code.count - String(number).count)
        return "\(code)\(zeroes)\(number)"
    }
}

extension Reason {
    /// The number in the reason's magic token: fixed for ever, unique among the reasons of one status.
    var magicNumber: Int {
        switch self {
        case .badCollapseID, .badCertificate, .badPath, .methodNotAllowed, .unregistered, .payloadTooLarge,
            .tooManyRequests, .internalServerError, .serviceUnavailable:
            1
        case .badDeviceToken, .badCertificateEnvironment, .expiredToken, .tooManyProviderTokenUpdates, .shutdown: 2
        case .badExpirationDate, .expiredProviderToken: 3
        case .badMessageID, .forbidden: 4
        case .badPriority, .invalidProviderToken: 5
        case .badTopic, .missingProviderToken: 6
        case .deviceTokenNotForTopic, .unrelatedKeyIDInToken: 7
        case .duplicateHeaders, .badEnvironmentKeyInToken: 8
        case .idleTimeout, .topicMismatch: 9
        case .invalidPushType: 10
        case .missingDeviceToken: 11
        case .missingTopic: 12
        case .payloadEmpty: 13
        case .topicDisallowed: 14
        case .broadcastFeatureNotEnabled: 15
        case .missingChannelID: 16
        case .badChannelID: 17
        case .channelNotRegistered: 18
        case .badRequestParams: 19
        case .badRequestPayload: 20
        case .missingPushType: 21
        case .missingChannelQueueSize: 22
        case .cannotCreateChannelConfig: 23
        case .badTtl: 24
        case .badUrgency: 25
        case .badWebPushRequest: 26
        case .badWebPushTopic: 27
        case .vapidPkHashMismatch: 28
        case .badAuthorizationHeader: 10
        case .badJwtToken: 11
        case .badVapidPublicKey: 12
        }
    }
}
