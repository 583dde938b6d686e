extension Focus: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(name, allowedApps, allowedPeople) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(name: try reader.read(), allowedApps: try reader.read(), allowedPeople: try reader.read())
    }
}

extension PairedWatch: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(isWorn, isLocked) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(isWorn: try reader.read(), isLocked: try reader.read())
    }
}

extension ScreenSettings: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(focus, languages, isLocked, isMuted, watch, summary)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        focus = try reader.read()
        languages = try reader.read()
        isLocked = try reader.read()
        isMuted = try reader.read()
        watch = try reader.read()
        summary = try reader.read()
    }
}
