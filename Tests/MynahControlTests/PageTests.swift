import HTTPTypes
import Testing

@testable import MynahControl

/// `/` and its files (`ControlAPI#Browser-safety`).
@Suite("The page's files")
struct PageTests {
    static let paths = ["/"] + PageFile.embedded.keys.filter { $0 != "index.html" }.map { "/assets/" + $0 }.sorted()

    @Test("GET and HEAD serve every file with its type and a strict policy", arguments: paths)
    func everyFile(path: String) async throws {
        try await Box.with { box in
            let answer = try await box.http.call("GET", path)
            #expect(answer.status == 200)
            let type = try #require(answer.headers.first(name: "content-type"))
            let types = [".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"]
            let suffix = path.lastIndex(of: ".").map { String(path[$0...]) } ?? ""
            #expect(type == types[suffix] ?? (suffix == ".svg" ? "image/svg+xml" : "text/html; charset=utf-8"))
            #expect(
                answer.headers.first(name: "content-security-policy")
                    == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                    + "img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'")
            #expect(answer.headers.first(name: "x-content-type-options") == "nosniff")
            #expect(answer.headers.first(name: "referrer-policy") == "no-referrer")
            #expect(!answer.body.isEmpty)

            let head = try await box.http.call("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers.first(name: "etag") == answer.headers.first(name: "etag"))
            #expect(head.headers.first(name: "content-length") == String(answer.body.count))
        }
    }

    @Test("a browser that has the current version gets 304")
    func unchanged() async throws {
        try await Box.with { box in
            let tag = try #require(try await box.http.call("GET", "/").headers.first(name: "etag"))
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 2)
            for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await box.http.call("GET", "/", headers: [("If-None-Match", value)])
                #expect(answer.status == 304 && answer.body.isEmpty, "\(value)")
                #expect(answer.headers.first(name: "etag") == tag)
                #expect(answer.headers.first(name: "content-security-policy") != nil)
            }
            for value in ["\"other\"", tag + "x", ""] {
                let answer = try await box.http.call("GET", "/", headers: [("If-None-Match", value)])
                #expect(answer.status == 200, "\(value)")
            }
        }
    }

    @Test(
        "where other servers show their API, this one leads to its own, without the token",
        arguments: ["/docs", "/docs/", "/swagger", "/swagger-ui/index.html", "/redoc", "/api-docs"])
    func pathsOfAPIs(path: String) async throws {
        try await Box.with({ $1.token = "secret" }) { box in
            for method in ["GET", "HEAD"] {
                let answer = try await box.http.call(method, path)
                #expect(answer.status == 302)
                #expect(answer.headers.first(name: "location") == "/#/api")
            }
            #expect(try await box.http.call("POST", path).status == 401)
        }
    }

    @Test("two files have different tags")
    func tags() {
        #expect(Set(PageFile.embedded.values.map(\.tag)).count == PageFile.embedded.count)
        #expect(PageFile.embedded.count > 10)
    }

    @Test("the page and its files need no token and have no secret")
    func openWithoutToken() async throws {
        try await Box.with({ $1.token = "s3cret" }) { box in
            for path in ["/", "/assets/main.js", "/assets/core/api.js"] {
                let answer = try await box.http.call("GET", path)
                #expect(answer.status == 200 && !answer.text.contains("s3cret"))
            }
            let status = try await box.http.call("GET", "/v1/status")
            #expect(status.status == 401)
        }
    }

    @Test("an unknown file is a problem, and a public Host is refused")
    func notThere() async throws {
        try await Box.with { box in
            for path in ["/assets/none.js", "/assets/core/none.js", "/assets/", "/assets/core/", "/assets/../main.js"] {
                let answer = try await box.http.call("GET", path)
                #expect(answer.status == 404, "\(path)")
            }
            let posted = try await box.http.call("POST", "/", "{}")
            #expect(posted.status == 405)
            let foreign = try await box.http.call("GET", "/", host: "evil.com")
            #expect(foreign.status == 403)
        }
    }
}
