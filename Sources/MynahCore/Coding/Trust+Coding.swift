package import APNsRules

// Only the parts of a credential that the journal keeps are written, none of which is a secret.

extension EnvironmentScope: ByteCodable {}
extension Reason: ByteCodable {}

extension Refusal: ByteRecord {
    package static let members = ByteMembers(Refusal.init) { ($0.reason, $0.detail, $0.timestamp) }
}

extension KeyScope: ByteRecord {
    package static let members = ByteMembers(KeyScope.init) { ($0.environment, $0.topics, $0.relatedKeyID) }
}

extension ProviderIdentity: ByteRecord {
    package static let members = ByteMembers(ProviderIdentity.init) {
        ($0.team, $0.keyID, $0.issuedAt, $0.warnings, $0.scope)
    }
}

extension CertificateIdentity.ListedTopic: ByteRecord {
    package static let members = ByteMembers(CertificateIdentity.ListedTopic.init) { ($0.name, $0.kind) }
}

extension CertificateIdentity: ByteRecord {
    package static let members = ByteMembers(CertificateIdentity.init) {
        (
            $0.subject, $0.subjectID, $0.topics, $0.environment, $0.serialNumber, $0.notBefore, $0.notAfter, $0.issuer
        )
    }
}

extension TrustVerdict: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .missing: writer.write(UInt8(0))
        case .invalid(let refusal): writer.write(UInt8(1), refusal)
        case .token(let identity): writer.write(UInt8(2), identity)
        case .revokedKey(let identity): writer.write(UInt8(3), identity)
        case .certificate(let identity): writer.write(UInt8(4), identity)
        case .revokedCertificate(let identity): writer.write(UInt8(5), identity)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        switch try reader.byte() {
        case 0: self = .missing
        case 1: self = .invalid(try reader.read())
        case 2: self = .token(try reader.read())
        case 3: self = .revokedKey(try reader.read())
        case 4: self = .certificate(try reader.read())
        case 5: self = .revokedCertificate(try reader.read())
        case let other: throw reader.problem("\(other) is no verdict")
        }
    }
}

extension RecordedCredential: ByteRecord {
    package static let members = ByteMembers(RecordedCredential.init) { ($0.authorization, $0.verdict) }
}
