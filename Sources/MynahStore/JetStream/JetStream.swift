package import APNsRules
internal import MynahCore

/// JetStream's interface, which is requests with documents as JSON; each call waits for its answer.
package struct JetStream: Sendable {
    package let connection: NATSConnection

    /// How long an answer may take.
    private static let answerMilliseconds: Int64 = 2000
    /// What JetStream calls a stream that isn't there, and a message that isn't.
    private static let noStream: Int64 = 10059
    private static let noMessage: Int64 = 10037
    /// That a stream's last message is another one than was expected.
    private static let otherLast: Int64 = 10071
    /// Errors that pass by themselves, or once the engine has more room, without a change here, in the words of NATS
    /// (`server/errors.json` of nats-server): its nodes, or enough of them for a stream's replicas, have not found
    /// together yet, or it has no space or memory left.
    private static let passing: [Int64: String] = [
        10002: "resource limits exceeded for account", 10004: "incomplete results",
        10005: "no suitable peers for placement", 10007: "JetStream cluster not assigned to this server",
        10008: "JetStream system temporarily unavailable", 10009: "JetStream cluster can not handle request",
        10023: "insufficient resources", 10028: "insufficient memory resources available",
        10041: "a general error of RAFT", 10047: "insufficient storage resources available",
        10077: "a message could not be stored", 10118: "stream is offline", 10119: "consumer is offline",
    ]

    package init(_ connection: NATSConnection) { self.connection = connection }

    private var place: String { connection.name }

    /// What an answer says is wrong.
    struct Failure {
        let number: Int64
        let words: String
    }

    /// The content or the error in the answer to a request.
    private enum Answer<Content> {
        case success(Content)
        case failure(Failure)
    }

    private func ask(_ subject: String, _ document: JSONValue) throws(LogProblem) -> Answer<JSONValue> {
        let reply: NATSMessage
        do throws(LogProblem) {
            reply = try connection.request(
                document.encoded, to: "$JS.API.\(subject)", milliseconds: JetStream.answerMilliseconds)
        } catch {
            guard error.problem.lowercased().contains("no responders") else { throw error }
            throw LogProblem(
                .unsuitable, file: place, "NATS has no JetStream, or this account has none",
                remedy: "Start it with JetStream and a folder: nats-server -js -sd FOLDER")
        }
        let answer = try JetStream.parsed(reply.bytes, place)
        if let failure = JetStream.failure(in: answer) { return .failure(failure) }
        return .success(answer)
    }

    private func call(_ subject: String, _ document: JSONValue, _ what: String) throws(LogProblem) -> JSONValue {
        switch try ask(subject, document) {
        case .success(let answer): return answer
        case .failure(let failure):
            throw problem(failure, what)
        }
    }

    private func problem(_ failure: Failure, _ what: String) -> LogProblem {
        LogProblem(
            JetStream.passing[failure.number] != nil ? .unreachable : .unsuitable, file: place,
            "\(what): NATS says: \(failure.words)")
    }

    static func parsed(_ bytes: [UInt8], _ place: String) throws(LogProblem) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw LogProblem(.unsuitable, file: place, "NATS answers something other than JSON")
        }
    }

    static func failure(in answer: JSONValue) -> Failure? {
        guard let error = answer["error"] else { return nil }
        return Failure(number: error["err_code"]?.integer ?? 0, words: error["description"]?.string ?? "an error")
    }

    // MARK: Streams

    /// The present state of a stream.
    package struct StreamState: Sendable {
        package let firstSequence: UInt64
        package let lastSequence: UInt64
        package let replicas: Int
    }

    /// The state of a stream for some subjects, which is made if it isn't there.
    ///
    /// One that is there stays as it stands, if nothing but these subjects goes in and nothing is lost from it.
    package func stream(
        _ name: String, subjects: [String], replicas: Int, description: String
    ) throws(LogProblem) -> StreamState {
        let config: JSONValue = [
            "name": .string(name), "description": .string(description), "subjects": .texts(subjects),
            "retention": "limits", "max_consumers": -1, "max_msgs": -1, "max_bytes": -1, "max_age": 0,
            "max_msg_size": -1, "discard": "new", "storage": "file", "num_replicas": .whole(replicas),
            // Longer than a batch is sent again.
            "duplicate_window": .whole(Int64(120_000_000_000)), "allow_direct": true,
        ]
        let answer: JSONValue
        switch try ask("STREAM.INFO.\(name)", .object([])) {
        case .success(let found): answer = found
        case .failure(let failure) where failure.number == JetStream.noStream:
            // Another server may make the stream at the same time, with the same configuration.
            answer = try call("STREAM.CREATE.\(name)", config, "the stream \(name) can't be made")
        case .failure(let failure):
            throw problem(failure, "the stream \(name) can't be used")
        }
        try check(answer["config"] ?? .null, of: name, subjects: subjects)
        return JetStream.state(answer)
    }

    private func check(_ config: JSONValue, of name: String, subjects: [String]) throws(LogProblem) {
        func problem(_ what: String) -> LogProblem {
            LogProblem(
                .unsuitable, file: place, "the stream \(name) is another's: \(what)",
                remedy: "Give this cluster another name (--cluster-name), or remove the stream")
        }
        let found = (config["subjects"]?.array ?? []).compactMap(\.string)
        guard found == subjects else {
            let found = found.joined(separator: ", ")
            let expected = subjects.joined(separator: ", ")
            throw problem("its subjects are \(found), and \(expected) was expected")
        }
        for (name, expected) in [("discard", "new"), ("retention", "limits"), ("storage", "file")]
        where config[name]?.string != expected {
            throw problem("its \(name) is \(config[name]?.string ?? "missing"), and \(expected) was expected")
        }
        guard config["max_age"]?.integer ?? 0 == 0 else {
            throw problem("it drops messages by their age, and no limit was expected")
        }
    }

    private static func state(_ answer: JSONValue) -> StreamState {
        let state = answer["state"]
        return StreamState(
            firstSequence: state?["first_seq"].flatMap(JetStream.whole) ?? 0,
            lastSequence: state?["last_seq"].flatMap(JetStream.whole) ?? 0,
            replicas: Int(answer["config"]?["num_replicas"]?.integer ?? 1))
    }

    static func whole(_ value: JSONValue) -> UInt64? {
        if case .number(let number) = value { UInt64(number.text) } else { nil }
    }

    /// The state of a stream that exists.
    package func state(of stream: String) throws(LogProblem) -> StreamState {
        JetStream.state(try call("STREAM.INFO.\(stream)", .object([]), "the stream \(stream) can't be used"))
    }

    /// Removes the messages before a number.
    package func purge(_ stream: String, before sequence: UInt64) throws(LogProblem) {
        // With 0 or 1 the engine would remove all messages.
        guard sequence > 1 else { return }
        _ = try call("STREAM.PURGE.\(stream)", ["seq": .whole(sequence)], "the stream \(stream) can't be trimmed")
    }

    // MARK: Messages

    /// A message of a stream.
    package struct StoredMessage: Sendable {
        package let sequence: UInt64
        /// When the stream took it, by the engine's clock.
        package let time: Instant
        package let bytes: [UInt8]
    }

    /// A message by its number; `nil` if it isn't there.
    package func message(_ sequence: UInt64, of stream: String) throws(LogProblem) -> StoredMessage? {
        switch try ask("STREAM.MSG.GET.\(stream)", ["seq": .whole(sequence)]) {
        case .failure(let failure) where failure.number == JetStream.noMessage: return nil
        case .failure(let failure):
            throw problem(failure, "the stream \(stream) can't be read")
        case .success(let answer):
            let found = answer["message"] ?? .null
            guard let sequence = found["seq"].flatMap(JetStream.whole),
                let time = found["time"]?.string.flatMap({ Instant(rfc3339: $0) }),
                let bytes = Base64.decode((found["data"]?.string ?? "").utf8)?.bytes
            else { throw LogProblem(.unsuitable, file: place, "a message of the stream \(stream) can't be read") }
            return StoredMessage(sequence: sequence, time: time, bytes: bytes)
        }
    }

    /// Adds a message and waits until the stream has it; returns its number.
    package func append(_ bytes: [UInt8], to subject: String) throws(LogProblem) -> UInt64 {
        switch try append(bytes, to: subject, headers: []) {
        case .success(let sequence): return sequence
        case .failure(let failure): throw refusal(failure)
        }
    }

    /// Adds a message if `last` is the number of the stream's last one, 0 for an empty stream; returns whether it was
    /// added.
    package func append(_ bytes: [UInt8], to subject: String, after last: UInt64) throws(LogProblem) -> Bool {
        switch try append(bytes, to: subject, headers: [("Nats-Expected-Last-Sequence", "\(last)")]) {
        case .success: return true
        case .failure(let failure) where failure.number == JetStream.otherLast: return false
        case .failure(let failure): throw refusal(failure)
        }
    }

    private func append(
        _ bytes: [UInt8], to subject: String, headers: [(name: String, value: String)]
    ) throws(LogProblem) -> Answer<UInt64> {
        let reply = try connection.request(
            bytes, to: subject, headers: headers, milliseconds: JetStream.answerMilliseconds)
        let answer = try JetStream.parsed(reply.bytes, place)
        if let failure = JetStream.failure(in: answer) { return .failure(failure) }
        return .success(answer["seq"].flatMap(JetStream.whole) ?? 0)
    }

    private func refusal(_ failure: Failure) -> LogProblem { problem(failure, "no message can be added") }

    // MARK: Consumers

    /// Has the messages of a stream sent to a subject from a number on, in order and without acknowledgements; returns
    /// the name of the consumer.
    ///
    /// The consumer ends by itself when its subject has no subscriber any more. Throws ``LogProblem/Code/missing`` if
    /// there is no such stream.
    package func consume(
        _ stream: String, from sequence: UInt64, to subject: String, heartbeatMilliseconds: Int64
    ) throws(LogProblem) -> String {
        let asked = try ask(
            "CONSUMER.CREATE.\(stream)",
            [
                "stream_name": .string(stream),
                "config": [
                    "deliver_subject": .string(subject), "deliver_policy": "by_start_sequence",
                    "opt_start_seq": .whole(sequence), "ack_policy": "none", "max_deliver": 1,
                    "replay_policy": "instant", "flow_control": true,
                    "idle_heartbeat": .whole(heartbeatMilliseconds * 1_000_000), "mem_storage": true, "num_replicas": 1,
                ],
            ])
        switch asked {
        case .success(let answer): return answer["name"]?.string ?? ""
        case .failure(let failure) where failure.number == JetStream.noStream:
            throw LogProblem(
                .missing, file: place,
                "NATS answers, but has no stream \(stream) any more: its store was lost, or the stream was removed",
                remedy: "Give NATS its store back; or end all servers and start them again, which begins anew")
        case .failure(let failure): throw problem(failure, "the stream \(stream) can't be followed")
        }
    }

    /// Ends a consumer, if it still exists.
    package func removeConsumer(_ name: String, of stream: String) throws(LogProblem) {
        _ = try ask("CONSUMER.DELETE.\(stream).\(name)", .object([]))
    }
}

/// What a delivery of a consumer says of its message.
package struct Delivery: Sendable {
    /// The message's number in the stream.
    package let sequence: UInt64
    /// The message's number among the messages that the consumer has delivered, from 1.
    package let ordinal: UInt64
    /// When the stream took it, by the engine's clock.
    package let time: Instant

    /// Reads the reply subject: `$JS.ACK.` and stream, consumer, count, number, ordinal, nanoseconds and rest, in later
    /// forms behind a domain and an account.
    package init?(_ message: NATSMessage) {
        guard let parts = message.reply?.split(separator: ".", omittingEmptySubsequences: false), parts.count >= 9,
            parts[0] == "$JS", parts[1] == "ACK"
        else { return nil }
        let first = parts.count == 9 ? 2 : 4
        guard parts.count >= first + 7, let sequence = UInt64(parts[first + 3]),
            let ordinal = UInt64(parts[first + 4]), let nanoseconds = Int64(parts[first + 5])
        else { return nil }
        self.sequence = sequence
        self.ordinal = ordinal
        time = Instant(milliseconds: nanoseconds / 1_000_000)
    }
}

/// The answer of a stream to a message that was sent to it.
package enum Acknowledgement: Sendable {
    case stored
    /// The message is too large for the stream.
    case tooLarge(String)
    /// The stream can't take the message at present.
    case failed(String)

    /// What JetStream calls a message that is too large.
    private static let largeMessage: Int64 = 10054

    package init?(_ message: NATSMessage) {
        // No server of the engine answers for the stream at present.
        guard message.status == nil, let answer = try? JSONValue(parsing: message.bytes) else { return nil }
        switch JetStream.failure(in: answer) {
        case nil: self = .stored
        case let failure? where failure.number == Acknowledgement.largeMessage: self = .tooLarge(failure.words)
        case let failure?: self = .failed(failure.words)
        }
    }
}
