internal import APNsRules
internal import MynahCore

/// The documents of connections and of what arrives on them besides pushes.
extension OpenAPIDocument {
    private static let environment = Form.choice(APNsEnvironment.self)

    private static let connection: Schema = [
        "id": .whole.described("The number in a push's connection."), "peer": .anyText,
        "openedAt": .time.described("By the server's clock."), "tls": .nullable(.choice(["TLSv1.2", "TLSv1.3"])),
        "cipher": .nullableText, "sni": .nullableText, "alpn": .nullableText, "environment": environment,
        "credential": .nullable(.any(schema: "Credential"))
            .described("The last valid credential; null before the first."),
        "streams": .object(["open": .whole, "limit": .whole, "total": .whole]),
        "pushes": .whole.described("Answered requests, including refused ones."), "pings": .whole,
        "bytesIn": .whole.described("Read from the socket, TLS included."),
        "bytesOut": .whole.described("Handed to the socket, TLS included."),
        "server": .anyText.described(
            "In a cluster, the server that has it; the counts of other servers' connections are 0."),
    ]

    static let connections: KeyValuePairs<String, Schema> = [
        "Channel": [
            "id": .anyText.described("16 bytes in standard base64."), "bundleId": .anyText, "environment": environment,
            "messageStoragePolicy": .integer(0...1).described("Whether it stores the most recent message."),
            "createdAt": .time.described("By the server's clock."), "broadcasts": .whole.described("Accepted so far."),
            "followers": .whole.described("Running Live Activities that follow it, on all devices."),
            "storedUntil": .nullable(.time).described("Until when it keeps its most recent message."),
        ],
        "Connection": connection,
        "ClosedConnection": connection + [
            "closedAt": .time.described("By the server's clock."),
            "reason": .nullableText.described("The error because of which the server closed it, in a sentence."),
        ],
        "FailedHandshake": [
            "id": .whole.described("The number of the connection."), "at": .time.described("By the server's clock."),
            "peer": .anyText, "sni": .nullableText.described("The host name that the client sent, if any."),
            "environment": environment,
            "cause": .choice([
                "serverNotTrusted", "notTLS", "noHTTP2", "tlsVersion", "clientCertificate", "hungUp", "timedOut",
                "fault", "other",
            ]).described(
                """
                serverNotTrusted: the client refused the server's certificate; notTLS: the client sent something \
                other than TLS; noHTTP2: its ALPN list has no h2, and it did not use HTTP/2; tlsVersion: it offers neither TLS 1.2 nor 1.3; \
                clientCertificate: its certificate was refused; hungUp: it closed the connection without an alert, in \
                the handshake or right after it; timedOut: it did not finish in time; fault: a fault rule acted on the handshake.
                """),
            "reason": .anyText.described("What happened and how to fix it, in a sentence."),
            "count": .whole.described("Failures with this cause since the start, including this one."),
        ],
    ]
}
