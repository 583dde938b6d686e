package import APNsRules

// Of a credential only what the journal keeps is written, which is no secret.

extension EnvironmentScope: ByteCodable {}
extension Reason: ByteCodable {}

extension Refusal: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(reason, detail, timestamp)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(try reader.read(), try reader.read(), timestamp: try reader.read())
    }
}

extension KeyScope: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(environment, topics, relatedKeyID)
    }

    package convenience init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            environment: try reader.read(), topics: try reader.read(), relatedKeyID: try reader.read())
    }
}

extension ProviderIdentity: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(team, keyID, issuedAt, warnings, scope)
    }

    package convenience init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            team: try reader.read(), keyID: try reader.read(), issuedAt: try reader.read(),
            warnings: try reader.read(), scope: try reader.read())
    }
}

extension CertificateIdentity.ListedTopic: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(name, kind)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(try reader.read(), kind: try reader.read())
    }
}

extension CertificateIdentity: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(subject, subjectID, topics, environment, serialNumber, notBefore, notAfter, issuer)
    }

    package convenience init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            subject: try reader.read(), subjectID: try reader.read(), topics: try reader.read(),
            environment: try reader.read(), serialNumber: try reader.read(), notBefore: try reader.read(),
            notAfter: try reader.read(), issuer: try reader.read())
    }
}

extension TrustVerdict: ByteCodable {
    private enum Kind: UInt8 {
        case missing = 0
        case invalid = 1
        case token = 2
        case revokedKey = 3
        case certificate = 4
        case revokedCertificate = 5
    }

    package func write(to writer: inout ByteWriter) {
        func write(_ kind: Kind, _ value: (some ByteCodable)?) {
            writer.write(fixed: kind.rawValue)
            if let value { writer.write(value) }
        }
        switch self {
        case .missing: write(.missing, Bool?.none)
        case .invalid(let refusal): write(.invalid, refusal)
        case .token(let identity): write(.token, identity)
        case .revokedKey(let identity): write(.revokedKey, identity)
        case .certificate(let identity): write(.certificate, identity)
        case .revokedCertificate(let identity): write(.revokedCertificate, identity)
        }
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        let number = try reader.byte()
        guard let kind = Kind(rawValue: number) else { throw reader.problem("\(number) is no verdict") }
        self =
            switch kind {
            case .missing: .missing
            case .invalid: .invalid(try reader.read())
            case .token: .token(try reader.read())
            case .revokedKey: .revokedKey(try reader.read())
            case .certificate: .certificate(try reader.read())
            case .revokedCertificate: .revokedCertificate(try reader.read())
            }
    }
}

extension RecordedCredential: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(authorization, verdict)
    }

    package convenience init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(authorization: try String?(from: &reader), verdict: try reader.read())
    }
}
