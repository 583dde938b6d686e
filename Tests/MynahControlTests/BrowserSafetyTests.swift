import Mynah
import Testing

@testable import MynahControl

/// `ControlAPI#Browser-safety`.
@Suite("Browser safety")
struct BrowserSafetyTests {
    @Test(
        "a Host that is an address, a private name, or given by a flag is allowed",
        arguments: [
            "localhost", "localhost:8197", "LOCALHOST", "127.0.0.1", "127.0.0.1:8197", "10.1.2.3", "[::1]",
            "[::1]:8197",
            "[fe80::1%25eth0]", "mynah", "mynah_1:80", "a.localhost", "b.local", "mynah.internal",
            "host.docker.internal",
            "x.test", "x.test.", "apns.example.com", "tools.corp.example:99", "deep.below.example",
        ])
    func hostIsAllowed(host: String) async throws {
        #expect(HostRuleCases.rule.allows(host))
    }

    @Test(
        "a Host that could be a public name is refused",
        arguments: [
            "evil.com", "127.0.0.1.evil.com", "localhost.evil.com", "evil.com:8197", "1.2.3", "1.2.3.4.5", "256.1.1.1",
            "01.2.3.4", ".localhost", ".local", "evillocal.com", "notlocalhost.org", "below.example", "", ":80",
            "localhost:x", "localhost:99999", "[::1", "[evil.com]", "user@localhost", "local host", "a/b",
            "localhost:80:80", "evil.com.", "*.evil.com",
        ])
    func hostIsRefused(host: String) async throws {
        #expect(!HostRuleCases.rule.allows(host))
    }

    @Test("a refused Host is 403 with a problem document, on every path")
    func hostOverTheWire() async throws {
        try await Box.with({ server, control in
            server.tlsNames = ["apns.example.com"]
            control.allowedHosts = ["tools.example.com"]
        }) { box in
            for path in ["/v1/status", "/livez", "/ca.pem", "/nowhere"] {
                try expectProblem(
                    await box.http.call("GET", path, host: "evil.com"), 403, field: "Host", mentions: "--allowed-host")
            }
            for host in ["apns.example.com:8197", "tools.example.com", "127.0.0.1"] {
                #expect(try await box.http.call("GET", "/v1/status", host: host).status == 200)
            }
            try expectProblem(await box.http.call("GET", "/v1/status", host: nil), 403, field: "Host")
            try expectProblem(
                await box.http.call("GET", "/v1/status", headers: [("Host", "localhost")]), 403, field: "Host")
        }
    }

    @Test("an Origin must be the server's own, or allowed by a flag")
    func originMatrix() async throws {
        try await Box.with({ $1.corsOrigins = ["https://tools.example.com"] }) { box in
            let host = "localhost:\(box.control.port)"
            let own = ["http://localhost:\(box.control.port)", "HTTP://LocalHost:\(box.control.port)"]
            for origin in own + ["https://tools.example.com", "https://tools.example.com:443"] {
                let answer = try await box.http.call("GET", "/v1/status", host: host, headers: [("Origin", origin)])
                #expect(answer.status == 200, "\(origin)")
            }
            let foreign = [
                "http://localhost:3000", "http://localhost", "http://127.0.0.1:\(box.control.port)", "null", "",
                "http://tools.example.com", "https://evil.com", "file://", "https://tools.example.com.evil.com",
                "http://localhost:\(box.control.port)/x",
            ]
            for origin in foreign {
                let answer = try await box.http.call(
                    "DELETE", "/v1/notifications", host: host, headers: [("Origin", origin)])
                try expectProblem(answer, 403, field: "Origin", mentions: "--cors-origin")
            }
        }
    }

    @Test("a page of an allowed origin gets a preflight answer and CORS fields; others don't")
    func preflight() async throws {
        try await Box.with({
            $1.corsOrigins = ["https://tools.example.com"]
            $1.token = "secret"
        }) { box in
            let ask = [
                ("Origin", "https://tools.example.com"), ("Access-Control-Request-Method", "DELETE"),
                ("Access-Control-Request-Private-Network", "true"),
            ]
            let allowed = try await box.http.call("OPTIONS", "/v1/notifications", headers: ask)
            #expect(allowed.status == 204)
            #expect(allowed.headers["access-control-allow-origin"] == ["https://tools.example.com"])
            #expect(allowed.headers["access-control-allow-methods"] == ["GET, HEAD, DELETE, POST"])
            #expect(allowed.headers["access-control-allow-private-network"] == ["true"])
            #expect(allowed.headers.first(name: "access-control-allow-headers")?.contains("Authorization") == true)

            let answer = try await box.http.call(
                "GET", "/v1/status",
                headers: [("Origin", "https://tools.example.com"), ("Authorization", "Bearer secret")])
            #expect(answer.status == 200)
            #expect(answer.headers["access-control-allow-origin"] == ["https://tools.example.com"])
            #expect(answer.headers["vary"] == ["Origin"])

            let refused = try await box.http.call(
                "OPTIONS", "/v1/notifications",
                headers: [("Origin", "https://evil.com"), ("Access-Control-Request-Method", "DELETE")])
            try expectProblem(refused, 403, field: "Origin")
            #expect(refused.headers["access-control-allow-origin"].isEmpty)
        }
    }

    @Test("an answer to a request without Origin has no CORS fields")
    func noCORS() async throws {
        try await Box.with { box in
            let answer = try await box.http.call("GET", "/v1/status")
            #expect(!answer.headers.all.contains { $0.name.lowercased().hasPrefix("access-control") })
            try expectProblem(await box.http.call("OPTIONS", "/v1/status", headers: [("Authorization", "x")]), 405)
        }
    }
}

/// The rule for the test cases.
private enum HostRuleCases {
    static let rule = HostRule(allowing: ["apns.example.com", "Tools.Corp.Example", "*.below.example"])
}
