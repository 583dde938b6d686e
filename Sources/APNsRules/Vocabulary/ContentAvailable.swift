/// What `aps.content-available` asks for (`ProviderAPI#Members-of-aps`): only as the number 1 does it wake the app.
package struct ContentAvailable: Sendable {
    /// Whether the value wakes the app: as the number 1, or as `true` (inferred).
    package let wakesApp: Bool
    /// What is wrong with it, as a sentence; `nil` for the number 1.
    package let problem: String?

    package init(_ aps: JSONValue?) {
        let value = aps?["content-available"]
        let expected = "expected the number 1"
        wakesApp = value?.integer == 1 || value == true
        if let value {
            let text = if case .number(let number) = value { number.text } else { value.kind }
            let sentence = "aps.content-available is \(text): \(expected)"
            problem = value.integer == 1 ? nil : wakesApp ? sentence : sentence + "; the app is not woken"
        } else {
            problem = "aps has no content-available: \(expected); the app is not woken"
        }
    }
}
