internal import APNsRules

/// What the user of a device has set that decides where its notifications appear, and the state that the device is in
/// (`Documents#Devices`).
package struct ScreenSettings: Described, Hashable {
    package var focus: Focus?
    /// The user's preferred languages, the first before the others; empty for the language of the locale.
    var languages: [String] = []
    var isLocked = false
    /// Whether only critical sounds are heard, as by an iPhone's ring/silent switch.
    var isMuted = false
    /// `nil` without a paired watch.
    var watch: PairedWatch?
    /// `nil` if notifications never wait for a summary.
    var summary: SummarySchedule?
    package init() {}

    package static let fields: Fields<ScreenSettings> = [
        Field("focus", \.focus, "The active Focus.", default: nil, uses: .clearable),
        Field(
            "languages", \.languages,
            "The language tags (BCP 47) of the user's preferred languages, in order, by which an app's strings are "
                + "chosen; without one, the locale's.",
            default: [], form: .array(of: .shortText, 0...languagesMax), uses: .clearable,
            check: { tags, place throws(InputError) in
                for (index, tag) in tags.enumerated() { try LanguageTag.check(tag, at: "\(place)/\(index)") }
            }),
        Field("locked", \.isLocked, "Whether it is locked.", default: false, uses: .clearable),
        Field("muted", \.isMuted, "Whether only critical sounds are heard.", default: false, uses: .clearable),
        Field(
            "watch", \.watch, "The Apple Watch that is paired with an iPhone.", default: nil,
            uses: .clearable),
        Field(
            "summary", \.summary, "The scheduled summary of an iPhone or iPad.", default: nil,
            uses: .clearable),
    ]

    /// The most preferred languages.
    private static let languagesMax = 100

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

    /// Whether an alert appears on the watch instead of the phone (archived); the phone's list has it nevertheless.
    var watchTakesAlerts: Bool { isLocked && watch?.isWorn == true && watch?.isLocked == false }
}

/// A phone's watch, as far as it decides where an alert appears (`DeviceBehaviour#The-paired-watch`).
///
/// A push to the token of a device whose platform is watchOS is shown there, paired or not (inferred).
struct PairedWatch: Described, Hashable {
    var isWorn = true
    var isLocked = false

    static let fields: Fields<PairedWatch> = [
        Field("worn", \.isWorn, "Whether it is on the wrist.", default: true),
        Field("locked", \.isLocked, "Whether it is locked.", default: false),
    ]
}

extension PairedWatch: DescribedValue {
    static let formName = "PairedWatch"
}

extension PairedWatch: ByteRecord {
    static let members = ByteMembers(PairedWatch.init) { ($0.isWorn, $0.isLocked) }
}

extension ScreenSettings: ByteRecord {
    package static let members: some ByteForm<ScreenSettings> = ByteProperties(
        of: ScreenSettings.init, \.focus, \.languages, \.isLocked, \.isMuted, \.watch, \.summary)
}
