internal import APNsRules
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `/v1/certificates`: provider certificates of this server's CA.
enum CertificateRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/v1/certificates", id: "listCertificates",
            summary: "List the provider certificates that this server's CA issued",
            details: "Including revoked ones and those that `mynah certs provider` made in the same state folder.",
            isForRecorded: false, parameters: CallParameter.page(), answers: [.page(of: "Certificate")],
            problems: [.evicted]
        ) { call in
            let records = try await call.server.certificateRecords()
            return try ListPage(records, to: call, id: \.serialNumber, json: \.json).response(to: call)
        },
        Route(
            .post, "/v1/certificates", id: "issueCertificate", summary: "Issue a provider certificate",
            details: "It is trusted at once. This answer is the only place where its key appears. CAs of your own are "
                + "given by --provider-ca, not here.",
            body: .required(CertificateOrder.document),
            answers: [.created("The certificate and its key.", "IssuedCertificate", hasLocation: false)]
        ) { call in
            let order = try CertificateOrder(call.reader(CertificateOrder.schema))
            return .json(try await call.server.issueCertificate(order).json, status: .created)
        },
        Route(
            .get, "/v1/certificates/{serialNumber}", id: "getCertificate", summary: "Get one provider certificate",
            isForRecorded: false, parameters: [serialNumber], answers: [.ok("The certificate.", "Certificate")],
            problems: [.notFound]
        ) { call in
            let serialNumber = try serialNumber(of: call)
            let found = try await call.server.certificateRecord(serialNumber: serialNumber)
            return .json(try found.found(or: unknown(serialNumber)).json)
        },
        Route(
            .delete, "/v1/certificates/{serialNumber}", id: "revokeCertificate",
            summary: "Revoke a provider certificate",
            details: """
                Once this call has answered, new handshakes with the certificate fail with the alert \
                certificate_revoked, and every push on open connections that use it is refused with BadCertificate. \
                The certificate stays in the list. Revoking it again changes nothing. In a cluster, pushes are refused \
                on every server. Another server on the same state folder learns of it when it starts or lists its \
                certificates; `mynah certs revoke` reaches every server of the folder.
                """,
            parameters: [serialNumber], answers: [.ok("The certificate, with revokedAt.", "Certificate")],
            problems: [.notFound]
        ) { call in
            let serialNumber = try serialNumber(of: call)
            let revoked = try await call.server.revokeCertificate(serialNumber: serialNumber)
            return .json(try revoked.found(or: unknown(serialNumber)).json)
        },
    ]

    private static let serialNumber = CallParameter.path(
        "serialNumber", "Hexadecimal digits; lower case and colons are accepted.")

    private static func serialNumber(of call: Call) throws(Problem) -> String {
        let given = try call.pathText("serialNumber")
        let problem = "invalid serial number \(given): expected hexadecimal digits"
        return try CertificateRecord.serialNumber(given).found(or: .parameter("serialNumber", problem))
    }

    private static func unknown(_ serialNumber: String) -> Problem {
        Problem(
            .notFound,
            "unknown serial number \(serialNumber): this server's CA has not issued it; "
                + "GET /v1/certificates lists its certificates", field: "serialNumber")
    }
}
