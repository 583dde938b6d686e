internal import APNsRules

/// When the scheduled summary of a device appears, and which apps' notifications wait for it
/// (`DeviceBehaviour#The-scheduled-summary`).
struct SummarySchedule: DocumentValue, Hashable {
    /// The most times of a day.
    private static let timesMax = 24
    private static let day: Int64 = 24 * 3_600_000
    // Milliseconds since midnight UTC, the earliest first.
    private let times: [Int64]
    /// The topics of the apps in the summary.
    private let apps: Set<String>

    private static let fields: Fields<SummarySchedule> = [
        Field(
            Member(
                "times", .array(of: .anyText, 1...timesMax), summary: "Times of the day in UTC, such as 08:00.",
                isRequired: true)
        ) { .texts($0.times.map(text)) },
        Field(
            Member(
                "apps", .array(of: .topic, 1...1000),
                summary: "The topics of the apps whose notifications wait for it.",
                isRequired: true)
        ) { .texts($0.apps.sorted()) },
    ]
    private static let schema = fields.making

    package static let form = Form.named("SummarySchedule", .object(schema))

    // On the first day of the epoch.
    private static func time(_ text: String) -> Int64? { Instant(rfc3339: "1970-01-01T\(text):00Z")?.milliseconds }
    private static func text(_ time: Int64) -> String {
        String(Instant(milliseconds: time).rfc3339.dropFirst(11).prefix(5))
    }
    func includes(_ topic: String) -> Bool { apps.contains(topic) }

    /// The next time of the summary after a moment.
    func next(after now: Instant) -> Instant {
        let inDay = (now.milliseconds % SummarySchedule.day + SummarySchedule.day) % SummarySchedule.day
        let next = times.first { $0 > inDay } ?? (times.first ?? 0) + SummarySchedule.day
        return now.advanced(by: .milliseconds(next - inDay))
    }

    package var json: JSONValue { .object(SummarySchedule.fields.remakingMembers(of: self)) }
}

extension SummarySchedule {
    package init(json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, SummarySchedule.schema)
        var times: Set<Int64> = []
        for (value, place) in reader.elements("times") {
            guard let time = SummarySchedule.time(value.string ?? "") else {
                throw .mismatch(value, at: place, expected: "a time of the day, such as 08:00")
            }
            times.insert(time)
        }
        self.times = times.sorted()
        apps = Set(reader.texts("apps") ?? [])
    }
}

extension SummarySchedule: ByteRecord {
    static let members = ByteMembers(SummarySchedule.init) { ($0.times, $0.apps) }

    var damage: String? {
        times.allSatisfy((0..<SummarySchedule.day).contains) ? nil : "a time of the summary is not in the day"
    }
}
