import Testing

@testable import MynahControl

/// `--control-token` and `--insecure-control`.
@Suite("The control token")
struct TokenTests {
    @Test("every call except probes and the CA needs the token")
    func tokenIsNeeded() async throws {
        try await Box.with({ $1.token = "s3cret" }) { box in
            for path in ["/v1/notifications", "/v1/status", "/v1/credentials", "/openapi.json", "/nowhere"] {
                let answer = try await box.http.call("GET", path)
                try expectProblem(answer, 401, field: "Authorization", mentions: "--control-token")
                #expect(answer.headers.first(name: "www-authenticate")?.hasPrefix("Bearer") == true)
            }
            for path in ["/livez", "/healthz", "/readyz", "/ca.pem"] {
                #expect(try await box.http.call("GET", path).status == 200)
            }
            for value in ["Bearer s3cret", "bearer s3cret", "Bearer  s3cret"] {
                #expect(try await box.http.call("GET", "/v1/status", headers: [("Authorization", value)]).status == 200)
            }
            for value in ["Bearer s3cre", "Bearer s3crett", "Bearer S3CRET", "Bearer ", "Basic s3cret", "s3cret", ""] {
                let answer = try await box.http.call("DELETE", "/v1/notifications", headers: [("Authorization", value)])
                try expectProblem(answer, 401, field: "Authorization")
            }
        }
    }

    @Test(
        "beyond loopback the API doesn't start without a token, and the error names the flags",
        arguments: ["0.0.0.0", "::", "192.168.1.4", "mynah.internal", "127.evil.com"])
    func offLoopback(host: String) throws {
        var settings = ControlSettings()
        settings.host = host
        let error = try #require(throws: ControlError.self) { try settings.check() }
        #expect(error.code == .tokenRequired)
        #expect(error.description.contains("--control-token") && error.description.contains("--insecure-control"))
        settings.token = ""
        #expect(throws: ControlError.self) { try settings.check() }
        settings.token = "x"
        #expect(throws: Never.self) { try settings.check() }
        settings.token = nil
        settings.insecureControl = true
        #expect(throws: Never.self) { try settings.check() }
    }

    @Test("on loopback no token is needed", arguments: ["localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]"])
    func onLoopback(host: String) throws {
        var settings = ControlSettings()
        settings.host = host
        #expect(throws: Never.self) { try settings.check() }
    }

    @Test(
        "an invalid origin is refused at the start", arguments: ["*", "tools.example.com", "https://a/b", "null"])
    func badOrigin(origin: String) throws {
        var settings = ControlSettings()
        settings.corsOrigins = [origin]
        let error = try #require(throws: ControlError.self) { try settings.check() }
        #expect(error.description.contains("--cors-origin"))
    }
}
