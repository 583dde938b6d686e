/// Placeholder until merged.
package enum PayloadWarnings {
    package struct Warning { package let text: String; package let reason: Reason? }
    package static func of(
        pushType: PushType?, topic: Span<UInt8>?, priority: Priority?, payload: JSONValue?
    ) -> [Warning] { [] }
}
