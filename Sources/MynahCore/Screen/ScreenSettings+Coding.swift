extension Focus: ByteRecord {
    package static let members = ByteMembers(Focus.init) { ($0.name, $0.allowedApps, $0.allowedPeople) }
}

extension PairedWatch: ByteRecord {
    static let members = ByteMembers(PairedWatch.init) { ($0.isWorn, $0.isLocked) }
}

extension ScreenSettings: ByteRecord {
    package static let members: some ByteForm<ScreenSettings> = ByteProperties(
        of: ScreenSettings.init, \.focus, \.languages, \.isLocked, \.isMuted, \.watch, \.summary)
}
