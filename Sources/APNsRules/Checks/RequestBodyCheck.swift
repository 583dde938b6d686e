/// The body of a request that concerns channels is present, not too large, and a JSON object
/// (`ProviderAPI#Broadcast-reasons`).
enum RequestBodyCheck {
    static func object(of push: borrowing Candidate, bytesMax: Int) throws(Refusal) -> JSONValue {
        if push.bodyByteCount == 0 { throw Refusal(.payloadEmpty, "the request has no body") }
        if push.isBodyCut || push.body.count > bytesMax {
            throw Refusal(.payloadTooLarge, "the body has more than \(bytesMax) bytes, the limit of this request")
        }
        let body: JSONValue
        do throws(JSONError) {
            body = try JSONValue(parsing: push.body.span)
        } catch {
            throw Refusal(.badRequestPayload, "the body is \(error)")
        }
        guard body.object != nil else {
            throw Refusal(.badRequestPayload, "the body is \(body.kind); an object was expected")
        }
        return body
    }
}
