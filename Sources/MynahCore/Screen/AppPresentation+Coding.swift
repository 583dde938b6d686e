internal import APNsRules

extension AppState: ByteCodable {}
extension ForegroundOption: ByteCodable {}
extension InterruptionLevel: ByteCodable {}
extension NotificationPermissions.Authorization: ByteCodable {}
extension NotificationPermissions.AlertStyle: ByteCodable {}
extension NotificationPermissions.ShowPreviews: ByteCodable {}

extension NotificationPermissions: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(authorization, alert, alertStyle, lockScreen, notificationCenter, showPreviews, badge, sound)
        writer.write(critical, timeSensitive, location, liveActivities, frequentPushes)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        authorization = try reader.read()
        alert = try reader.read()
        alertStyle = try reader.read()
        lockScreen = try reader.read()
        notificationCenter = try reader.read()
        showPreviews = try reader.read()
        badge = try reader.read()
        sound = try reader.read()
        critical = try reader.read()
        timeSensitive = try reader.read()
        location = try reader.read()
        liveActivities = try reader.read()
        frequentPushes = try reader.read()
    }
}

extension ServiceExtension: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(rewrite, takes, attachments, sender) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            rewrite: try reader.read(), takes: try reader.read(), attachments: try reader.read(),
            sender: try reader.read())
    }
}

extension Localization {
    func write(to writer: inout ByteWriter, sharing files: inout SharedWriting<StringsFile>) {
        writer.write(developmentLanguage)
        writer.write(varint: UInt64(tables.count))
        for (tag, file) in tables.sorted(by: { $0.key < $1.key }) {
            writer.write(tag)
            files.write(file, to: &writer)
        }
    }

    init(
        from reader: inout ByteReader, sharing files: inout SharedReading<StringsFile>
    ) throws(CodingProblem) {
        developmentLanguage = try reader.read()
        for _ in 0..<(try reader.count()) {
            let tag = try String(from: &reader)
            guard tables.updateValue(try files.read(from: &reader), forKey: tag) == nil else {
                throw reader.problem("the language \(tag) is there twice")
            }
        }
    }
}

extension AppPresentation {
    func write(to writer: inout ByteWriter, sharing files: inout SharedWriting<StringsFile>) {
        writer.write(appState, permissions, presentInForeground.sorted { $0.rawValue < $1.rawValue }, appName)
        writer.write(sounds, categories)
        localization.write(to: &writer, sharing: &files)
        writer.write(serviceExtension, focusFilter, reportsCalls, frequentUpdates, backgroundFetch)
        writer.write(hasRemoteNotificationMode)
    }

    init(
        from reader: inout ByteReader, sharing files: inout SharedReading<StringsFile>
    ) throws(CodingProblem) {
        appState = try reader.read()
        permissions = try reader.read()
        presentInForeground = Set(try reader.read([ForegroundOption].self))
        appName = try reader.read()
        sounds = try reader.read()
        categories = try reader.read()
        localization = try Localization(from: &reader, sharing: &files)
        serviceExtension = try reader.read()
        focusFilter = try reader.read()
        reportsCalls = try reader.read()
        frequentUpdates = try reader.read()
        backgroundFetch = try reader.read()
        hasRemoteNotificationMode = try reader.read()
    }
}
