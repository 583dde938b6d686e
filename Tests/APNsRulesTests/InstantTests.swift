import APNsRules
import Testing

@Suite("Times in RFC 3339")
struct InstantTests {
    @Test(
        "a time is read from its text as it was",
        arguments: [
            "0000-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2028-02-29T12:00:00.001Z",
            "9999-12-31T23:59:59.999Z",
        ])
    func timeIsReadAsItWas(_ text: String) {
        #expect(Instant(rfc3339: text)?.rfc3339 == text)
    }

    @Test(
        "a time whose year in UTC has not four digits is refused",
        arguments: ["0000-01-01T00:59:59+01:00", "9999-12-31T23:00:00-01:00", "9999-12-31T23:59:60Z"])
    func yearHasFourDigits(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }
}
