internal import APNsRules

extension AppState: ByteCodable {}
extension ForegroundOption: ByteCodable, Comparable {
    package static func < (one: ForegroundOption, other: ForegroundOption) -> Bool { one.rawValue < other.rawValue }
}
extension InterruptionLevel: ByteCodable {}

extension Localization: ByteRecord {
    static let members = ByteMembers({ Localization(tables: $1.mapValues(\.value), developmentLanguage: $0) }) {
        ($0.developmentLanguage, $0.tables.mapValues { Shared($0) })
    }
}

extension AppPresentation: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(
            appState, permissions, presentInForeground, appName, sounds, categories, localization, serviceExtension,
            focusFilter, reportsCalls, frequentUpdates, backgroundFetch, hasRemoteNotificationMode)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init()
        appState = try reader.read()
        permissions = try reader.read()
        presentInForeground = try reader.read()
        appName = try reader.read()
        sounds = try reader.read()
        categories = try reader.read()
        localization = try reader.read()
        serviceExtension = try reader.read()
        focusFilter = try reader.read()
        reportsCalls = try reader.read()
        frequentUpdates = try reader.read()
        backgroundFetch = try reader.read()
        hasRemoteNotificationMode = try reader.read()
    }
}
