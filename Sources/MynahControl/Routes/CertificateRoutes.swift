internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/certificates`: provider certificates of this server's CA, issued, listed, revoked.
struct CertificateRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.get, "/v1/certificates") { [state] in try await CertificateRoutes.list($0, state.server) },
            Route(.post, "/v1/certificates") { [state] in try await CertificateRoutes.issue($0, state.server) },
            Route(.get, "/v1/certificates/{serialNumber}") { [state] in
                try await CertificateRoutes.one($0, state.server)
            },
            Route(.delete, "/v1/certificates/{serialNumber}") { [state] in
                try await CertificateRoutes.revoke($0, state.server)
            },
        ]
    }

    private static func list(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let items = try await reporting { try await server.certificateRecords() }
            .map(\.json)
        guard call.wantsLines else { return .json(["items": .array(items)]) }
        return .bytes(items.flatMap { $0.encoded + [0x0A] }, "application/x-ndjson")
    }

    private static func one(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let serialNumber = try serialNumber(call)
        let all = try await reporting { try await server.certificateRecords() }
        guard let found = all.first(where: { $0.identity.serialNumber == serialNumber }) else {
            throw unknown(serialNumber)
        }
        return .json(found.json)
    }

    private static func revoke(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let serialNumber = try serialNumber(call)
        let revoked = try await reporting {
            try await server.revokeCertificate(serialNumber: serialNumber)
        }
        guard let revoked else { throw unknown(serialNumber) }
        return .json(revoked.json)
    }

    private static func issue(_ call: Call, _ server: Server) async throws -> Response {
        try call.checkNoQuery()
        let order = try CertificateOrder(RequestDocument.reader(call.body, CertificateOrder.schema))
        let issued = try await reporting { try await server.issueCertificate(order) }
        return .json(issued.json, status: .created)
    }

    /// The serial number in the path, as certificates have it; with colons or in lower case, as tools print it.
    private static func serialNumber(_ call: Call) throws(Problem) -> String {
        let given = call.parameters["serialNumber"] ?? ""
        guard let serialNumber = CertificateRecord.serialNumber(given) else {
            throw Problem(
                .invalidParameter, "\(given) is no serial number; it is hexadecimal digits", field: "serialNumber")
        }
        return serialNumber
    }

    private static func unknown(_ serialNumber: String) -> Problem {
        Problem(
            .notFound, "this server's CA issued no certificate with the serial number \(serialNumber)",
            field: "serialNumber")
    }

    private static func reporting<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as CertificateFailure {
            throw Problem(error.isCallersFault ? .invalidField : .unavailable, error.description)
        }
    }
}

extension CertificateOrder {
    static let schema: Schema = [
        Member(
            "topics", .array(of: .name(bytesMax: Limits.topicBytesMax, punctuation: ".-"), 1...topicsMax),
            "The app's bundle id first.",
            isRequired: true),
        Member("voip", .bool, default: false), Member("complication", .bool, default: false),
        Member("environment", .choice(EnvironmentScope.self), default: "both"),
        Member("days", .integer(1...daysMax)),
        Member("expired", .bool, default: false),
        Member("password", .someText),
    ]

    /// Reads the body of `POST /v1/certificates`.
    fileprivate init(_ reader: ObjectReader) throws(Problem) {
        let topics = reader.texts("topics") ?? []
        for (index, topic) in topics.enumerated() where topics[..<index].contains(topic) {
            throw Problem(
                .invalidField, "\(topic) is given twice: expected it once", field: reader.place("topics", index))
        }
        self.init(topics: topics)
        voip = reader.bool("voip") ?? false
        complication = reader.bool("complication") ?? false
        isExpired = reader.bool("expired") ?? false
        environment = reader.choice("environment") ?? .both
        days = reader.integer("days") ?? days
        password = reader.text("password") ?? password
    }
}
