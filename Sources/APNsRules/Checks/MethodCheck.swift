/// `POST` only, before anything else is looked at (`ProviderAPI#Headers`, `ProviderAPI#Order-of-checks`).
enum MethodCheck {
    static func refusal(of push: borrowing Candidate) -> Refusal? {
        if let method = push.fields[.method], push.headers.bytes.span.extracting(method).equals("POST") { return nil }
        return Refusal(.methodNotAllowed, ":method is \(push.text(.method)); POST was expected")
    }
}
