internal import APNsRules
internal import Mynah

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
                    "invalid days \(value.encodedText): expected a whole number from 1 to \(CertificateOrder.daysMax)",
                    field: "/days")
            }
            self.days = Int(days)
        }
        if let value = document["password"] {
            guard let password = value.string, !password.isEmpty else {
                throw Problem(
                    .invalidField, "invalid password: expected a string that is not empty", field: "/password")
            }
            self.password = password
        }
    }

    private static func topics(_ document: RequestDocument) throws(Problem) -> [String] {
        guard let value = document["topics"] else {
            throw Problem(
                .invalidField, "topics is missing: expected an array of topics, the app's bundle id first",
                field: "/topics")
        }
        guard let elements = value.array, (1...topicsMax).contains(elements.count) else {
            throw Problem(
                .invalidField,
                "topics is \(value.kind): expected an array of 1 to \(topicsMax) topics, the app's bundle id first",
                field: "/topics")
        }
        var topics: [String] = []
        for (index, element) in elements.enumerated() {
            let field = RequestDocument.pointer("topics", String(index))
            guard let topic = element.string, isTopic(topic) else {
                throw Problem(
                    .invalidField,
                    "invalid topic \(element.encodedText): expected 1 to \(Limits.topicBytesMax) letters, digits, "
                        + "hyphens and periods", field: field)
            }
            guard !topics.contains(topic) else {
                throw Problem(.invalidField, "\(topic) is given twice: expected each topic once", field: field)
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
                "invalid environment \(value.encodedText): expected \(allowed.joined(separator: ", "))"
                    + NearestName.suggestion(for: value.string ?? "", among: allowed),
                field: "/environment", allowed: allowed)
        }
        return environment
    }

    private static func bool(_ name: String, _ document: RequestDocument) throws(Problem) -> Bool? {
        guard let value = document[name] else { return nil }
        guard let bool = value.bool else {
            throw Problem(
                .invalidField, "invalid \(name) \(value.encodedText): expected a boolean",
                field: RequestDocument.pointer(name), allowed: ["true", "false"])
        }
        return bool
    }
}
