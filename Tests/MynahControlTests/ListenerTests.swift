import APNsRules
import HTTPTypes
import Logging
import Mynah
import MynahTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import MynahControl

@Suite("The control listener")
struct ListenerTests {
    @Test("localhost is both loopback addresses on one port")
    func bothAddresses() async throws {
        try await Box.with { box in
            #expect(box.control.port > 0)
            #expect(box.control.url == "http://127.0.0.1:\(box.control.port)")
            // On a machine without IPv6 it is the other one alone.
            let probe = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "::1", port: 0).get()
            try await probe?.close()
            for host in probe == nil ? ["127.0.0.1"] : ["127.0.0.1", "::1"] {
                let answer = try await HTTPCaller(port: box.control.port, host: host).call("GET", "/livez")
                #expect(answer.status == 200, "\(host)")
            }
        }
    }

    @Test("a taken port is an error that names it")
    func portTaken() async throws {
        try await Box.with { box in
            var settings = ControlSettings()
            settings.port = box.control.port
            let error = try await #require(throws: ControlError.self) {
                _ = try await ControlServer.start(box.server, settings, logger: box.log.logger(.info))
            }
            #expect(error.code == .portUnavailable)
            #expect(error.description.contains("port \(settings.port) is taken"))
            #expect(error.description.contains("--control-port"))
            #expect(try await box.http.call("GET", "/livez").status == 200)
        }
    }

    @Test("an address of another machine is an error that names it")
    func wrongAddress() async throws {
        try await Box.with { box in
            var settings = ControlSettings()
            settings.host = "203.0.113.1"
            settings.port = 0
            settings.token = "x"
            let error = try await #require(throws: ControlError.self) {
                _ = try await ControlServer.start(box.server, settings, logger: box.log.logger(.info))
            }
            #expect(error.description.contains("203.0.113.1"))
        }
    }

    @Test("probes answer GET and HEAD; of readiness 503 until ready and while stopping, of life always 200")
    func probes() async throws {
        try await Box.with(readiness: .starting) { box in
            for (readiness, status) in [(Readiness.starting, 503), (.ready, 200), (.stopping, 503)] {
                box.control.setReadiness(readiness)
                for path in ["/livez", "/healthz", "/readyz"] {
                    let get = try await box.http.call("GET", path)
                    #expect(get.status == (path == "/livez" ? 200 : status))
                    #expect(try get.json()["status"]?.string == readiness.rawValue)
                    let head = try await box.http.call("HEAD", path)
                    #expect(head.status == get.status)
                    #expect(head.body.isEmpty)
                    #expect(head.headers.first(name: "content-length") == String(get.body.count))
                }
            }
        }
    }

    @Test("control calls aren't logged at info")
    func quiet() async throws {
        try await Box.with { box in
            let before = box.log.all
            _ = try await box.http.call("GET", "/v1/notifications")
            _ = try await box.http.call("GET", "/nowhere")
            _ = try await box.http.call("POST", "/v1/reset")
            #expect(box.log.all == before)
        }
    }

    @Test(
        "an unknown path or method is a problem with the known ones",
        arguments: [
            ("GET", "/v1/notification", 404, "/v1/notifications"), ("GET", "/index", 404, "/openapi.json"),
            ("GET", "/v1/notifications/", 404, ""), ("GET", "/v1/notifications/1/2", 404, ""),
            ("PUT", "/v1/notifications", 405, "GET, HEAD, DELETE"),
            ("GET", "/v1/reset", 405, "POST"), ("HEAD", "/v1/reset", 405, ""), ("POST", "/livez", 405, "GET, HEAD"),
        ])
    func notThere(method: String, path: String, status: Int, words: String) async throws {
        try await Box.with { box in
            let answer = try await box.http.call(method, path)
            #expect(answer.status == status)
            if method != "HEAD" { try expectProblem(answer, status, mentions: words) }
            #expect((answer.headers.first(name: "allow") != nil) == (status == 405))
        }
    }

    @Test("the OpenAPI document lists exactly the routes that are registered")
    func openAPI() async throws {
        try await Box.with { box in
            let answer = try await box.http.call("GET", "/openapi.json")
            let document = try answer.json()
            #expect(document["openapi"]?.string == "3.1.0")
            let paths = try #require(document["paths"]?.object)
            let described = paths.flatMap { path in
                (path.value.object ?? []).map { "\($0.name.uppercased()) \(path.name)" }
            }
            let registered = RouteTable.all.routes.map { "\($0.method.rawValue) \($0.path)" }
            #expect(described.sorted() == registered.sorted())
            #expect(!described.isEmpty)
        }
    }

    @Test("every reference in the OpenAPI document leads somewhere")
    func openAPIReferences() throws {
        let document = try JSONValue(parsing: ServerRoutes.openAPI)
        var seen = 0
        func visit(_ value: JSONValue) {
            for element in value.array ?? [] { visit(element) }
            for member in value.object ?? [] {
                if member.name == "$ref", let reference = member.value.string {
                    let steps = reference.dropFirst(2).split(separator: "/").map { String($0) }
                    let target = steps.reduce(Optional(document)) { $0?[$1] }
                    #expect(target != nil, "\(reference)")
                    seen += 1
                }
                visit(member.value)
            }
        }
        visit(document)
        #expect(seen > 10)
    }
}
