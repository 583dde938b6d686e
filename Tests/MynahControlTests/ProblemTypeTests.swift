import APNsRules
import HTTPTypes
import Testing

@testable import MynahControl

/// The same mistake has the same problem in every call.
@Suite("Problem types")
struct ProblemTypeTests {
    /// The calls of the API; probes, the page and `/ca.pem` take any query and no body.
    private static let routes = RouteTable.all.routes.filter { $0.path.hasPrefix("/v1/") }

    /// What the named parts of paths are in ``withThings(_:)``.
    private static func target(_ route: Route, _ changed: [String: String] = [:]) -> String {
        let place = route.path.split(separator: "/").dropFirst().first.map { String($0) } ?? ""
        let ids = [
            "devices": "kim", "notifications": "1", "faults": "f", "channels": channel, "connections": "1",
            "scenarios": "s", "keys": "ABC123DEFG", "certificates": "00", "scopes": "t",
        ]
        let known = [
            "id": ids[place], "topic": "com.example.app", "sequence": "1", "activity": "1", "name": ids[place],
            "keyId": ids[place], "serialNumber": ids[place], "channel": channel,
        ]
        return route.path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("{") else { return String(part) }
            let name = String(part.dropFirst().dropLast())
            return changed[name] ?? known[name].flatMap { $0 } ?? name
        }.joined(separator: "/")
    }

    private static let channel = "AAAAAAAAAAAAAAAAAAAAAA%3D%3D"

    /// A server with a device and an app, so that a call fails for its mistake alone.
    private func withThings(_ body: (Box) async throws -> Void) async throws {
        try await Box.with { box in
            try await box.device("kim")
            _ = try await box.json("POST", "/v1/faults", #"{"id":"f","action":{"type":"stall"}}"#, status: 201)
            try await body(box)
        }
    }

    private func expect(
        _ answer: HTTPCaller.Answer, _ kind: Problem.Kind, field: String?, _ place: String
    ) throws {
        #expect(answer.status == kind.status.code, "\(place): \(answer.text)")
        let problem = try answer.json()
        #expect(problem["type"]?.string == kind.type, "\(place): \(answer.text)")
        #expect(problem["title"]?.string == kind.title, "\(place): \(answer.text)")
        #expect(problem["field"]?.string == field, "\(place): \(answer.text)")
        #expect((problem["detail"]?.string?.split(separator: " ").count ?? 0) > 3, "\(place): \(answer.text)")
    }

    private func body(_ route: Route) -> String? {
        let content = Contract.shared.document["paths"]?[route.path]?[route.method.rawValue.lowercased()]?[
            "requestBody"]
        return content?["content"]?["application/json"]?["example"]?.encodedText
    }

    @Test("an unknown parameter")
    func unknownParameter() async throws {
        try await withThings { box in
            for route in Self.routes {
                let target = Self.target(route) + "?unknwon=1"
                let answer = try await box.http.call(route.method.rawValue, target, body(route))
                try expect(answer, .unknownParameter, field: "unknwon", "\(route.method) \(target)")
                #expect(try answer.json()["detail"]?.string?.contains("\"unknwon\"") == true)
            }
        }
    }

    @Test("a parameter with an impossible value, and one that is given twice")
    func invalidParameter() async throws {
        let values = [
            "limit": "0", "order": "up", "cursor": "!", "wait": "5", "count": "-1", "hits": "0", "after": "",
            "abort": "yes", "shipped": "yes", "connect": "yes", "environment": "moon", "scope": "a b",
            "lastEventId": "x", "kind": "x", "event": "x",
        ]
        var tried: Set<String> = []
        try await withThings { box in
            for route in Self.routes {
                for parameter in route.parameters where parameter.location == .query {
                    let isText = parameter.schema == ["type": "string"] && parameter.name == "after"
                    guard let value = values[parameter.name], !isText else { continue }
                    tried.insert(parameter.name)
                    let target = Self.target(route) + "?\(parameter.name)=\(value)"
                    let encoded = target.replacing(" ", with: "%20")
                    let answer = try await box.http.call(route.method.rawValue, encoded, body(route))
                    try expect(answer, .invalidParameter, field: parameter.name, "\(route.method) \(target)")
                }
            }
        }
        #expect(tried == Set(values.keys))
    }

    @Test("an unknown member, a wrong body and broken JSON")
    func bodies() async throws {
        let mistakes: [(body: String, kind: Problem.Kind, field: String?)] = [
            (#"{"unknwon":1}"#, .unknownField, "/unknwon"), ("1", .invalidField, ""), ("{", .malformedJSON, nil),
        ]
        try await withThings { box in
            for route in Self.routes where route.body != nil {
                for mistake in mistakes {
                    let target = Self.target(route)
                    let answer = try await box.http.call(route.method.rawValue, target, mistake.body)
                    try expect(answer, mistake.kind, field: mistake.field, "\(route.method) \(target) \(mistake.body)")
                }
            }
        }
    }

    @Test("an unknown ID")
    func unknownID() async throws {
        // Of other calls with an ID, PUT makes what it names, and removing a scope that is not in use is no mistake.
        let routes = Self.routes.filter { $0.path.contains("{") && $0.method != .put && $0.id != "deleteScope" }
        let unknown = [
            "id": "nobody", "topic": "com.example.none", "sequence": "99", "activity": "99", "name": "none",
            "keyId": "ZZZZZZZZZZ", "serialNumber": "ff", "channel": Self.channel,
        ]
        try await withThings { box in
            for route in routes {
                let names = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
                    .map { String($0.dropFirst().dropLast()) }
                for name in names {
                    var id = unknown[name] ?? ""
                    if route.path.hasPrefix("/v1/connections") || route.path.hasPrefix("/v1/notifications") {
                        id = "99"
                    }
                    if route.path.hasPrefix("/v1/channels") { id = Self.channel }
                    if route.path.hasPrefix("/v1/closed-connections") { id = "99" }
                    let target = Self.target(route, [name: id])
                    let answer = try await box.http.call(route.method.rawValue, target, body(route))
                    try expect(answer, .notFound, field: name, "\(route.method) \(target)")
                }
            }
        }
    }

    @Test("an ID that is taken")
    func conflict() async throws {
        try await withThings { box in
            let things = [
                ("/v1/devices", #"{"id":"kim"}"#, "/id"), ("/v1/keys", #"{"keyId":"ABC123DEFG"}"#, "/keyId"),
                ("/v1/faults", #"{"id":"g","action":{"type":"stall"}}"#, "/id"),
                ("/v1/channels", #"{"id":"AAAAAAAAAAAAAAAAAAAAAA==","bundleId":"com.example.app"}"#, "/id"),
                ("/v1/scenarios", #"{"name":"s","steps":[{"add":[{"action":{"type":"stall"}}]}]}"#, "/name"),
            ]
            for (path, body, field) in things {
                _ = try await box.http.call("POST", path, body)
                try expect(try await box.http.call("POST", path, body), .conflict, field: field, path)
            }
        }
    }

    @Test("HEAD answers each GET with its status and header fields, without the body")
    func head() async throws {
        try await withThings { box in
            // Streams, which have no end, answer HEAD at once.
            for route in Self.routes where route.method == .get {
                let target = Self.target(route)
                let head = try await box.http.call("HEAD", target)
                #expect(head.body.isEmpty, "\(target)")
                let isStream = route.answers.contains { $0.content.contains { $0.name == "text/event-stream" } }
                guard !isStream else {
                    #expect(head.status == 200, "\(target)")
                    continue
                }
                let get = try await box.http.call("GET", target)
                #expect(head.status == get.status, "\(target)")
                let names = ["content-type", "cache-control", "x-content-type-options", "allow"]
                #expect(names.map { head.headers[$0] } == names.map { get.headers[$0] }, "\(target)")
                // The memory that the status reports differs from call to call.
                guard route.id != "status" else { continue }
                #expect(head.headers.first(name: "content-length") == String(get.body.count), "\(target)")
            }
            let problem = try await box.http.call("HEAD", "/v1/status?unknwon=1")
            #expect(problem.status == 400 && problem.body.isEmpty)
            let refused = try await box.http.call("PUT", "/v1/status")
            #expect(refused.headers["allow"] == ["GET, HEAD"])
        }
    }

    @Test("a stream that is asked for its head does not put the device online")
    func headOfStream() async throws {
        try await withThings { box in
            _ = try await box.json("PATCH", "/v1/devices/kim", #"{"online":false}"#)
            let head = try await box.http.call("HEAD", "/v1/devices/kim/stream?connect=true")
            #expect(head.status == 200)
            #expect(try await box.json("GET", "/v1/devices/kim")["online"] == false)
        }
    }

    @Test("every list has a limit, an order and a cursor, and the members of a page")
    func lists() async throws {
        let page = ["items", "nextCursor", "matched", "timedOut", "evicted", "lastSequence"]
        try await withThings { box in
            let lists = Self.routes.filter { $0.id.hasPrefix("list") }
            #expect(lists.count > 12)
            for route in lists {
                let names = route.parameters.map(\.name)
                #expect(Set(["limit", "order", "cursor"]).isSubset(of: names), "\(route.id)")
                for order in ["asc", "desc"] {
                    let answer = try await box.json("GET", Self.target(route) + "?order=\(order)")
                    #expect(answer.object?.map(\.name) == page, "\(route.id)")
                }
            }
        }
    }

    @Test("the pages of a list in memory are the list, in either order", arguments: ["asc", "desc"])
    func pages(order: String) async throws {
        try await Box.with { box in
            for number in 1...5 {
                _ = try await box.http.call("POST", "/v1/keys", #"{"keyId":"KEY000000\#(number)"}"#)
            }
            let all = try await box.items("/v1/keys?order=\(order)", "keyId").compactMap(\.string)
            #expect(all == (order == "asc" ? all.sorted() : all.sorted().reversed()))
            var read: [String] = []
            var cursor: String? = nil
            repeat {
                let target = "/v1/keys?order=\(order)&limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
                let page = try await box.json("GET", target)
                #expect(page["matched"]?.integer == Int64(all.count))
                read += page["items"]?.array?.compactMap { $0["keyId"]?.string } ?? []
                cursor = page["nextCursor"]?.string
            } while cursor != nil
            #expect(read == all && all.count >= 5)
        }
    }

    @Test("the pages of devices in descending order")
    func descendingDevices() async throws {
        try await Box.with { box in
            _ = try await box.json("POST", "/v1/devices", #"{"id":"d","count":70}"#, status: 201)
            let page = try await box.json("GET", "/v1/devices?order=desc&limit=3")
            #expect(page["items"]?.array?.compactMap { $0["id"]?.string } == ["d-00070", "d-00069", "d-00068"])
            let cursor = try #require(page["nextCursor"]?.string)
            let next = try await box.items("/v1/devices?order=desc&limit=2&cursor=\(cursor)", "id")
            #expect(next == ["d-00067", "d-00066"])
            #expect(try await box.items("/v1/devices?order=desc&after=d-00003", "id") == ["d-00002", "d-00001"])
        }
    }

    @Test("count and hits without wait change nothing, because generated clients send their defaults")
    func defaultsWithoutWait() async throws {
        try await withThings { box in
            for target in [
                "notifications?count=1", "connections?count=1", "devices/kim/inbox?count=3", "faults/f?hits=1",
            ] {
                let given = try await box.json("GET", "/v1/\(target)")
                #expect(given == (try await box.json("GET", "/v1/\(target.prefix { $0 != "?" })")), "\(target)")
            }
        }
    }

    @Test("the index names the document and the paths")
    func index() async throws {
        try await Box.with { box in
            let index = try await box.json("GET", "/v1/")
            #expect(index["openapi"] == "/openapi.json")
            let paths = try #require(index["paths"]?.array).compactMap(\.string)
            #expect(paths.contains("/v1/devices") && paths == paths.sorted())
            for path in paths { #expect(try await box.http.call("HEAD", path).status != 404, "\(path)") }
        }
    }
}
