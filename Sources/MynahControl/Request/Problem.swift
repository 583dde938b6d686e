internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import MynahCore
internal import NIOCore

/// The refusal of a call, which is answered as a problem document (RFC 9457; `Documents#Problems`).
struct Problem: Error, Sendable {
    /// The kind of refusal; its raw value is the last part of the document's `type`.
    enum Kind: String, CaseIterable, Sendable {
        case unknownParameter = "unknown-parameter"
        case invalidParameter = "invalid-parameter"
        case unknownField = "unknown-field"
        case invalidField = "invalid-field"
        case malformedJSON = "malformed-json"
        case malformedRequest = "malformed-request"
        case unauthorized
        case forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case conflict
        case evicted
        case tooLarge = "too-large"
        case longQuery = "long-query"
        case longHead = "long-head"
        case unavailable
        case internalError = "internal-error"

        var status: HTTPResponse.Status {
            switch self {
            case .unknownParameter, .invalidParameter, .unknownField, .invalidField, .malformedJSON, .malformedRequest:
                .badRequest
            case .unauthorized: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .conflict: .conflict
            case .evicted: .gone
            case .tooLarge: .contentTooLarge
            case .longQuery: .uriTooLong
            case .longHead: .requestHeaderFieldsTooLarge
            case .unavailable: .serviceUnavailable
            case .internalError: .internalServerError
            }
        }

        var type: String { "urn:mynah:problem:\(rawValue)" }

        var title: String {
            guard self != .malformedJSON else { return "Malformed JSON" }
            let words = rawValue.replacing("-", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
    }

    /// The most characters of ``detail`` and ``field``, which may quote what was sent.
    private static let textCountMax = 2000

    let kind: Kind
    let detail: String
    /// The name of a parameter or header, or the JSON pointer of a field.
    let field: String?
    /// The allowed values, if they can be listed.
    let allowed: [String]?
    let headers: HTTPFields

    init(_ kind: Kind, _ detail: String, field: String? = nil, allowed: [String]? = nil, headers: HTTPFields = [:]) {
        self.detail = PrintableText.shortened(detail, to: Problem.textCountMax)
        self.field = field.map { PrintableText.shortened($0, to: Problem.textCountMax) }
        self.kind = kind
        self.allowed = allowed
        self.headers = headers
    }

    static func parameter(_ name: String?, _ detail: String, allowed: [String]? = nil) -> Problem {
        Problem(.invalidParameter, detail, field: name, allowed: allowed)
    }

    var document: JSONValue { .object(Problem.documentFields.members(of: self)) }

    /// The members of the document.
    static let documentFields: Fields<Problem> = [
        Field(shown: "type", .choice(Kind.allCases.map(\.type)), "The kind of problem.") { .string($0.kind.type) },
        Field(shown: "title", .anyText, "The kind of problem, in words.") { .string($0.kind.title) },
        Field(shown: "status", .whole, "The HTTP status, as in the answer's head.") { .whole($0.kind.status.code) },
        Field(shown: "detail", .someText, "What is wrong, and what was expected.") { .string($0.detail) },
        Field(
            shown: "field",
            .nullableText.described("The name of the parameter, or the JSON pointer of the field.")
        ) { .text($0.field) },
        Field(
            shown: "allowed",
            .nullable(.array(of: .anyText)).described("The values that are allowed, if they can be listed.")
        ) { $0.allowed.map { .texts($0) } ?? .null },
    ]

    var fields: HTTPFields {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return headers
    }

    var response: Response {
        Response(
            status: kind.status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.encoded)))
    }
}

extension Problem {
    /// The problem that answers an error, or `nil` for an internal error of the server.
    init?(answering error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as InputError: self.init(error)
        default: return nil
        }
    }

    /// The problem of a body or a parameter; a field that is not a JSON pointer is a parameter of the URL.
    init(_ error: InputError) {
        let isParameter = !error.field.isEmpty && !error.field.hasPrefix("/")
        let kind: Kind =
            switch error.kind {
            case .invalid: isParameter ? .invalidParameter : .invalidField
            case .unknownName: isParameter ? .unknownParameter : .unknownField
            case .notFound: .notFound
            case .conflict, .backwards: .conflict
            case .forbidden: .forbidden
            case .tooLarge: .tooLarge
            case .unavailable, .failed: .unavailable
            }
        self.init(
            kind, error.problem, field: error.place ?? error.pathPart,
            allowed: error.allowed.isEmpty ? nil : error.allowed)
    }
}

extension Optional {
    /// The value; throws the problem if there is none.
    func found(or problem: @autoclosure () -> Problem) throws(Problem) -> Wrapped {
        guard let self else { throw problem() }
        return self
    }
}
