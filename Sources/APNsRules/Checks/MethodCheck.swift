/// The method is `POST` (`ProviderAPI#Headers`).
enum MethodCheck {
    static func check(_ push: borrowing Candidate) throws(Refusal) {
        if let method = push.fields[.method], push.headers.storage.span.extracting(method).equals("POST") { return }
        throw Refusal(.methodNotAllowed, ":method is \(push.text(.method)); POST was expected")
    }
}
