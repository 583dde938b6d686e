internal import APNsRules
internal import Mynah
internal import MynahCore

extension CertificateOrder {
    static let schema: Schema = [
        Member(
            "topics", .array(of: .name("a topic", bytesMax: Limits.topicBytesMax, punctuation: ".-"), 1...topicsMax),
            "The app's bundle id first.", isRequired: true),
        Member("voip", .bool, "Whether the app's VoIP topic is included.", default: false),
        Member("complication", .bool, "Whether the app's complication topic is included.", default: false),
        Member("environment", .choice(EnvironmentScope.self), default: "both"),
        Member("days", .integer(1...Int64(daysMax)), "For how many days it is valid.", default: 398),
        Member("expired", .bool, "Whether it is issued already expired.", default: false),
        Member("password", .someText, "The password of pkcs12.", default: "mynah"),
    ]

    /// Reads the body of `POST /v1/certificates`.
    init(_ reader: ObjectReader) throws(InputError) {
        let topics = reader.texts("topics") ?? []
        for (index, topic) in topics.enumerated() {
            let problem =
                !CertificateOrder.isTopic(topic)
                ? "\"\(topic)\" is not valid: expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens, periods"
                : topics[..<index].contains(topic) ? "\(topic) is given twice: expected each topic once" : nil
            if let problem { throw InputError(at: reader.place("topics", index), problem) }
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
