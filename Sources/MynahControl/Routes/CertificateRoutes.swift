internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah

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
        let order = try CertificateOrder(RequestDocument(call.body))
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
    /// Reads the body of `POST /v1/certificates`.
    init(_ document: RequestDocument) throws(Problem) {
        try document.check(known: ["topics", "voip", "complication", "environment", "days", "expired", "password"])
        self.init(topics: try CertificateOrder.topics(document))
        voip = try CertificateOrder.bool("voip", document) ?? false
        complication = try CertificateOrder.bool("complication", document) ?? false
        isExpired = try CertificateOrder.bool("expired", document) ?? false
        environment = try CertificateOrder.environment(document) ?? .both
        if let value = document["days"] {
            guard let days = value.integer, (1...Int64(CertificateOrder.daysMax)).contains(days) else {
                throw Problem(
                    .invalidField,
                    "days is \(value.encodedText); it is a whole number from 1 to \(CertificateOrder.daysMax)",
                    field: "/days")
            }
            self.days = Int(days)
        }
        if let value = document["password"] {
            guard let password = value.string, !password.isEmpty else {
                throw Problem(
                    .invalidField, "password is \(value.kind); it is a string that is not empty", field: "/password")
            }
            self.password = password
        }
    }

    private static func topics(_ document: RequestDocument) throws(Problem) -> [String] {
        guard let value = document["topics"] else {
            throw Problem(
                .invalidField, "topics is missing; it is an array of topics, the app's bundle id first",
                field: "/topics")
        }
        guard let elements = value.array, (1...topicsMax).contains(elements.count) else {
            throw Problem(
                .invalidField,
                "topics is \(value.array == nil ? value.kind : "an array of \(value.array?.count ?? 0)"); it is an "
                    + "array of 1 to \(topicsMax) topics, the app's bundle id first", field: "/topics")
        }
        var topics: [String] = []
        for (index, element) in elements.enumerated() {
            let field = RequestDocument.pointer("topics", String(index))
            guard let topic = element.string, isTopic(topic) else {
                throw Problem(
                    .invalidField,
                    "\(element.encodedText) is no topic; it has 1 to \(Limits.topicBytesMax) letters, digits, hyphens "
                        + "and periods", field: field)
            }
            guard !topics.contains(topic) else {
                throw Problem(.invalidField, "\(topic) is there twice", field: field)
            }
            topics.append(topic)
        }
        return topics
    }

    private static func environment(_ document: RequestDocument) throws(Problem) -> EnvironmentScope? {
        guard let value = document["environment"] else { return nil }
        guard let environment = value.string.flatMap({ EnvironmentScope(rawValue: $0) }) else {
            let allowed = EnvironmentScope.allCases.map(\.rawValue)
            throw Problem(
                .invalidField,
                "\(value.encodedText) is no environment"
                    + (value.string.map { NearestName.suggestion(for: $0, among: allowed) } ?? ""),
                field: "/environment", allowed: allowed)
        }
        return environment
    }

    private static func bool(_ name: String, _ document: RequestDocument) throws(Problem) -> Bool? {
        guard let value = document[name] else { return nil }
        guard let bool = value.bool else {
            throw Problem(
                .invalidField, "\(name) is \(value.kind); it is a boolean", field: RequestDocument.pointer(name),
                allowed: ["true", "false"])
        }
        return bool
    }
}
