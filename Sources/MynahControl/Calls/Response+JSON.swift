internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import MynahCore
internal import NIOCore

extension Response {
    /// An answer in JSON.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        bytes(value.encoded, "application/json", status: status)
    }

    /// The answer to a call that made something which can now be found at `location`.
    static func created(_ value: JSONValue, at location: String) -> Response {
        bytes(value.encoded, "application/json", status: .created, headers: [.location: location])
    }

    /// The answer to a call that removed things: how many of each kind.
    static func removed(_ counts: KeyValuePairs<String, Int>) -> Response {
        .json(["removed": .object(counts.map { JSONMember($0.key, .whole($0.value)) })])
    }

    /// An answer of any type that caches must not keep.
    static func bytes(
        _ bytes: [UInt8], _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        uncached(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)), contentType, status: status, headers: headers)
    }

    /// An answer of any type that caches must not keep.
    static func uncached(
        _ body: ResponseBody, _ contentType: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: body)
    }
}
