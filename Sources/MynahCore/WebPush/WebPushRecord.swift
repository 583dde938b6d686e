package import APNsRules

/// What the journal keeps of a web push besides its request, which has all that the rules read.
package struct WebPushRecord: Sendable, Equatable {
    /// All that is wrong with it, and what Apple advises against.
    package var findings: WebPushFindings
    /// The web app's origin; `nil` if no subscription has the endpoint.
    package var topic: String?
    /// What the browser has decrypted; `nil` if it can't, or didn't get it.
    package var plaintext: [UInt8]?
    /// Why the browser can't decrypt it.
    package var problem: String?

    package init(_ findings: WebPushFindings) { self.findings = findings }

    /// The bytes that it takes.
    var cost: Int {
        (plaintext?.count ?? 0) + (problem?.utf8.count ?? 0) + (topic?.utf8.count ?? 0)
            + findings.warnings.reduce(0) { $0 + $1.utf8.count }
            + findings.refusals.reduce(0) { $0 + $1.cause.utf8.count }
    }
}

extension WebPushRecord: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(findings, topic, plaintext != nil)
        if let plaintext { writer.write(bytes: plaintext) }
        writer.write(problem)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(try reader.read())
        topic = try reader.read()
        if try reader.read(Bool.self) { plaintext = Array(try reader.bytes()) }
        problem = try reader.read()
    }
}

extension WebPushFindings: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(refusals, warnings) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(refusals: try reader.read(), warnings: try reader.read())
    }
}

extension WebPushRefusal: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(reason, cause, evidence) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(try reader.read(), try reader.read(), try reader.read())
    }
}

extension Evidence: ByteCodable {}
