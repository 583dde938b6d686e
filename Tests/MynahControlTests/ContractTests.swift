import APNsRules
import Testing

@testable import MynahControl

@Suite("Checking answers against the OpenAPI document")
struct ContractTests {
    @Test(
        "an answer that violates the document is detected",
        arguments: [
            (418, "application/json", "{}"),
            (200, "text/plain", #"{"mode":"real","now":"2027-01-01T00:00:00.000Z"}"#),
            (200, "application/json", #"{"mode":"real"}"#),
            (200, "application/json", #"{"mode":"wrong","now":"2027-01-01T00:00:00.000Z"}"#),
            (200, "application/json", #"{"mode":"real","now":1}"#), (200, "application/json", "{"),
            (400, "application/problem+json", #"{"title":"Invalid field"}"#),
        ])
    func fault(status: Int, contentType: String, body: String) {
        let answer = HTTPCaller.Answer(
            status: status, headers: HTTPCaller.Fields(all: [("Content-Type", contentType)]), body: Array(body.utf8))
        #expect(Contract.shared.fault(of: answer, to: "GET", "/v1/clock?scope=t42") != nil)
    }

    @Test("an answer that follows the document is accepted")
    func noFault() {
        let answer = HTTPCaller.Answer(
            status: 200, headers: HTTPCaller.Fields(all: [("content-type", "application/json; charset=utf-8")]),
            body: Array(#"{"mode":"frozen","now":"2027-01-01T00:00:00.000Z"}"#.utf8))
        #expect(Contract.shared.fault(of: answer, to: "GET", "/v1/clock") == nil)
    }

    @Test("every operation declares the common refusals, each once")
    func commonProblems() throws {
        let paths = try #require(Contract.shared.document["paths"]?.object)
        for path in paths {
            for operation in path.value.object ?? [] {
                let statuses = try #require(operation.value["responses"]?.object).map(\.name)
                #expect(Set(statuses).count == statuses.count, "\(operation.name) \(path.name)")
                #expect(Set(["400", "403", "413", "414"]).isSubset(of: statuses), "\(operation.name) \(path.name)")
                #expect(!statuses.contains("problems"))
            }
        }
    }
}
