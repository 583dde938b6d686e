import APNsRules
import Testing

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "numbers with units are read and written",
        arguments: [
            ("250ms", Duration.milliseconds(250)), ("5s", .seconds(5)), ("1h30m", .seconds(5400)),
            ("2d", .seconds(172_800)),
            ("1m1ms", .milliseconds(60_001)), ("0s", .zero),
        ])
    func roundTrip(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.text(duration) == text)
    }

    @Test("0ms, 90s and leading zeros are read, and written shorter")
    func normalised() {
        #expect(DurationText.parse("0ms").map(DurationText.text) == "0s")
        #expect(DurationText.parse("90s").map(DurationText.text) == "1m30s")
        #expect(DurationText.parse("007s") == .seconds(7))
        #expect(DurationText.text(.milliseconds(-1500)) == "-1s500ms")
    }

    @Test(
        "any other text is refused",
        arguments: [
            "", "5", "s", "5 s", "-5s", "+5s", "5S", "5s3", "1m1h", "1s1s", "1.5s", "5sec", "1us", "ms5",
            "9223372036854775807s", "9223372036854775807ms1ms",
        ])
    func refused(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
