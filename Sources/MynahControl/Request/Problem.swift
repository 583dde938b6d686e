internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
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
            switch self {
            case .unknownParameter: "Unknown parameter"
            case .invalidParameter: "Invalid parameter"
            case .unknownField: "Unknown field"
            case .invalidField: "Invalid field"
            case .malformedJSON: "Malformed JSON"
            case .malformedRequest: "Malformed request"
            case .unauthorized: "Unauthorized"
            case .forbidden: "Forbidden"
            case .notFound: "Not found"
            case .methodNotAllowed: "Method not allowed"
            case .conflict: "Conflict"
            case .evicted: "Evicted"
            case .tooLarge: "Too large"
            case .longQuery: "Long query"
            case .longHead: "Long head"
            case .unavailable: "Unavailable"
            case .internalError: "Internal error"
            }
        }
    }

    let kind: Kind
    /// What is wrong, and what was expected.
    let detail: String
    /// The name of a parameter or header, or the JSON pointer of a field.
    let field: String?
    /// The allowed values, if they can be listed.
    let allowed: [String]?
    /// Further fields of the answer.
    let headers: HTTPFields

    init(
        _ kind: Kind, _ detail: String, field: String? = nil, allowed: [String]? = nil, headers: HTTPFields = [:]
    ) {
        self.kind = kind
        self.detail = detail
        self.field = field
        self.allowed = allowed
        self.headers = headers
    }

    var document: JSONValue {
        .object([
            JSONMember("type", .string(kind.type)),
            JSONMember("title", .string(kind.title)),
            JSONMember("status", .number(JSONNumber(kind.status.code))),
            JSONMember("detail", .string(detail)),
            JSONMember("field", field.map { .string($0) } ?? .null),
            JSONMember("allowed", allowed.map { .array($0.map { .string($0) }) } ?? .null),
        ])
    }

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
