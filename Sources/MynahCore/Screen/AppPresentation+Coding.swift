internal import APNsRules

extension AppState: ByteCodable {}
extension ForegroundOption: ByteCodable {}
extension InterruptionLevel: ByteCodable {}

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
