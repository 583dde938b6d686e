internal import APNsRules

/// What the user of a device has set that decides where its notifications appear, and the state that the device is in
/// (`Documents#Devices`).
package struct ScreenSettings: Sendable, Hashable {
    package var focus: Focus?
    /// The user's preferred languages, the first before the others; empty for that of the locale.
    var languages: [String] = []
    var isLocked = false
    /// Whether only critical sounds are heard, as by an iPhone's ring/silent switch.
    var isMuted = false
    /// `nil` without a paired watch.
    var watch: PairedWatch?
    /// `nil` if notifications never wait for a summary.
    var summary: SummarySchedule?
    package init() {}

    package static let schema: Schema = [
        Member("focus", .named("Focus", Focus.form), summary: "The active Focus."),
        Member(
            "languages", .array(of: .text(1...DeviceSettings.textBytesMax), 0...100),
            summary:
                "The language tags (BCP 47) of the user's preferred languages, in order, by which an app's strings "
                + "are chosen; without one, the locale's."),
        Member("locked", .bool, default: false),
        Member("muted", .bool, summary: "Whether only critical sounds are heard.", default: false),
        Member(
            "watch", .named("PairedWatch", .object(PairedWatch.schema)),
            summary: "The Apple Watch that is paired with an iPhone; null for none."),
        Member(
            "summary", .named("SummarySchedule", .object(SummarySchedule.schema)),
            summary: "The scheduled summary of an iPhone or iPad; null for none."),
    ]

    /// Changes the members that are given, each whole; `null` brings the default back.
    mutating func apply(_ reader: ObjectReader) throws(InputError) {
        if reader.has("focus") { focus = reader["focus"].map { Focus(checked: $0) } }
        if reader.has("languages") {
            for (tag, place) in reader.elements("languages") { try LanguageTag.check(tag.string ?? "", at: place) }
            languages = reader.texts("languages") ?? []
        }
        if reader.has("locked") { isLocked = reader.bool("locked") ?? false }
        if reader.has("muted") { isMuted = reader.bool("muted") ?? false }
        if reader.has("watch") { watch = try reader.map("watch", PairedWatch.init) }
        if reader.has("summary") { summary = try reader.map("summary", SummarySchedule.init) }
    }

    /// Throws if a platform has no use for what is set.
    func check(on platform: Platform) throws(InputError) {
        for (name, isSet) in [("locked", isLocked), ("muted", isMuted)] where isSet && platform == .tvOS {
            throw InputError(at: "/\(name)", "a device with tvOS is never \(name): expected false")
        }
        if focus != nil, platform == .tvOS { throw InputError(at: "/focus", "tvOS has no Focus: expected null") }
        if watch != nil, platform != .iOS {
            throw InputError(at: "/watch", "a watch pairs with an iPhone, not with \(platform.rawValue): expected null")
        }
        if summary != nil, platform != .iOS, platform != .iPadOS {
            throw InputError(at: "/summary", "\(platform.rawValue) has no scheduled summary: expected null")
        }
    }

    /// The members of a device, with `null` for what is absent; reading them gives the same settings.
    var members: [JSONMember] {
        [
            JSONMember("focus", focus?.json ?? .null), JSONMember("languages", .texts(languages)),
            JSONMember("locked", .bool(isLocked)), JSONMember("muted", .bool(isMuted)),
            JSONMember("watch", watch?.json ?? .null), JSONMember("summary", summary?.json ?? .null),
        ]
    }

    /// Whether an alert appears on the watch instead of the phone (archived); the phone's list has it nevertheless.
    var watchTakesAlerts: Bool { isLocked && watch?.isWorn == true && watch?.isLocked == false }
}

/// A phone's watch, as far as it decides where an alert appears (`DeviceBehaviour#The-paired-watch`).
///
/// A push to the token of a device whose platform is watchOS is shown there, paired or not (inferred).
struct PairedWatch: Sendable, Hashable {
    var isWorn = true
    var isLocked = false
}

extension PairedWatch {
    static let schema: Schema = [
        Member("worn", .bool, summary: "Whether it is on the wrist.", default: true),
        Member("locked", .bool, default: false),
    ]

    init(_ json: JSONValue, at place: String) throws(InputError) {
        let reader = try ObjectReader(json, at: place, PairedWatch.schema)
        isWorn = reader.bool("worn") ?? true
        isLocked = reader.bool("locked") ?? false
    }

    var json: JSONValue { ["worn": .bool(isWorn), "locked": .bool(isLocked)] }
}
