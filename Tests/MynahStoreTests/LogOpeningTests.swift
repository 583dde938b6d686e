import Foundation
import MynahStore
import Testing

@Suite("Opening a log")
struct LogOpeningTests {
    let folder: LogFolder
    init() throws { folder = try LogFolder() }

    private func problemOfOpening() -> LogProblem? { words { () throws(LogProblem) in _ = try folder.open() } }

    private func problemOfReading() -> LogProblem? {
        words { () throws(LogProblem) in _ = try RunLog(reading: folder.path) }
    }

    // MARK: Owners

    @Test("a second owner is refused, and told who the first one is")
    func secondOwnerIsRefused() throws {
        let log = try folder.open()
        let refused = "\(folder.path): process \(getpid()) has it open. Stop it first, or name another folder."
        #expect(problemOfOpening()?.description == refused)
        #expect(problemOfReading()?.code == .inUse)
        try log.setOwner("http://localhost:8197\nand more")
        #expect(problemOfOpening()?.problem == "process \(getpid()) (http://localhost:8197) has it open")
        #expect(problemOfOpening()?.code == .inUse)
        try log.close()
        #expect(problemOfOpening() == nil)
    }

    @Test("a log that nobody holds any more is free, without having been closed")
    func logThatNobodyHoldsIsFree() throws {
        do {
            let log = try folder.open(owner: "http://localhost:1")
            try log.append(count: 3)
        }
        #expect(try folder.open().lastPosition == 3)
    }

    @Test("readers share a log, and keep a writer away, which is not told of a process that has ended")
    func readersShareALogAndKeepAWriterAway() throws {
        let batches = try folder.open().append(count: 3)
        // More than any system gives to a process.
        try folder.write(Array("2000000000 http://localhost:1\n".utf8), to: "lock")
        let readers = [try RunLog(reading: folder.path), try RunLog(reading: folder.file)]
        for reader in readers { #expect(try reader.batches() == batches) }
        #expect(problemOfOpening()?.problem == "mynah open, or another reader, has it open")
        #expect(problemOfOpening()?.code == .inUse)
        for reader in readers { try reader.close() }
        #expect(problemOfOpening() == nil)
    }

    // MARK: Reading

    /// Every file of the folder, and when it was changed.
    private func state() throws -> [String: [AnyHashable]] {
        try Dictionary(
            uniqueKeysWithValues: folder.names().map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
                return (name, [try folder.bytes(name), attributes[.modificationDate] as? Date])
            })
    }

    @Test("reading writes nothing and makes no file, whatever was left behind", arguments: [true, false])
    func readingWritesNothing(isClosed: Bool) throws {
        let source = try LogFolder()
        let log = try source.open()
        var batches = try log.append(count: 300)
        #expect(try log.write([SnapshotPiece(section: "a", bytes: [1])], at: 300))
        batches += try log.append(count: 5, seed: 2)
        try log.setNote("a", "b")
        if isClosed { try log.close() }
        for name in try source.names() where name != "lock" { try folder.write(source.bytes(name), to: name) }
        try #require(try folder.names().contains("run.mynah-00") != isClosed)
        try #require(try folder.names().contains("run.mynah-wal") != isClosed)

        let before = try state()
        for name in try folder.names() { chmod("\(folder.path)/\(name)", 0o400) }
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        let reader = try RunLog(reading: folder.path)
        #expect(reader.isReadOnly)
        #expect(try reader.batches() == batches)
        #expect(try reader.newestSnapshot()?.position == 300)
        #expect(try reader.text(ofNote: "a") == "b")
        #expect(
            problem { () throws(LogProblem) in _ = try reader.append([], time: LogFolder.time, rules: 1) } == .readOnly)
        #expect(problem { () throws(LogProblem) in try reader.setNote("a", nil) } == .readOnly)
        #expect(problem { () throws(LogProblem) in _ = try reader.write([], at: 1) } == .readOnly)
        #expect(problem { () throws(LogProblem) in _ = try reader.trim(before: 1) } == .readOnly)
        try reader.close()
        #expect(try state() == before)
    }

    @Test("a database that was taken without the files beside it opens with what had been moved to it")
    func databaseWithoutTheFilesBesideItOpens() throws {
        let log = try folder.open()
        let batches = try log.append(count: 300)
        try log.close()
        try folder.open().append(count: 300)
        let copy = try LogFolder()
        try copy.write(folder.bytes())
        for left in [try RunLog(reading: copy.file).batches(), try copy.open().batches()] {
            #expect(left == batches)
        }
    }

    @Test("an empty database beside files of batches is damaged, and stays empty")
    func emptyDatabaseBesideBatchesIsDamaged() throws {
        try folder.open().append(count: 30)
        try folder.write([])
        try folder.write([], to: "run.mynah-wal")
        for problem in [problemOfOpening(), problemOfReading()] {
            #expect(problem?.code == .damaged)
            #expect(problem?.problem == "it is empty, and there are batches in the files beside it")
            #expect(problem?.remedy.hasPrefix("Copy the whole folder") == true)
        }
        #expect(try folder.bytes().isEmpty)
    }

    @Test("what has no log in it can't be read")
    func whatHasNoLogCantBeRead() throws {
        #expect(problemOfReading()?.description == "\(folder.file): it does not exist.")
        try folder.write([])
        #expect(problemOfReading() == LogProblem(notBegun: folder.file))
        #expect(problemOfReading()?.code == .missing)
        #expect(problemOfReading()?.remedy.hasPrefix("Copy the whole folder") == true)
        let missing = words { () throws(LogProblem) in _ = try RunLog(reading: "\(folder.path)/a/b") }
        #expect(missing?.code == .missing)
    }

    // MARK: Files that are no log

    @Test("a file of another kind is refused")
    func fileOfAnotherKindIsRefused() throws {
        for bytes in [Array("a text".utf8), [UInt8](repeating: 65, count: 100_000)] {
            try folder.write(bytes)
            for problem in [problemOfOpening(), problemOfReading()] {
                #expect(
                    problem?.description
                        == "\(folder.file): it is not a SQLite database. Name another folder, or move the file away.")
                #expect(problem?.code == .foreign)
            }
            #expect(try folder.bytes() == bytes)
        }
    }

    @Test("another program's database is refused", arguments: ["CREATE TABLE a (b)", "PRAGMA application_id = 7"])
    func anotherProgramsDatabaseIsRefused(sql: String) throws {
        try folder.change(sql)
        let before = try folder.bytes()
        for problem in [problemOfReading(), problemOfOpening()] {
            #expect(problem?.code == .foreign)
            #expect(problem?.problem == "it is another program's SQLite database")
        }
        #expect(try folder.bytes() == before)
    }

    @Test("a file of a later version is refused")
    func fileOfALaterVersionIsRefused() throws {
        try folder.open().close()
        try folder.change("PRAGMA user_version = 3")
        for problem in [problemOfReading(), problemOfOpening()] {
            #expect(
                problem?.description == "\(folder.file): a later version of Mynah wrote it, in format 3: at most 2 was "
                    + "expected. Open it with that version.")
            #expect(problem?.code == .newer)
        }
        try folder.change("PRAGMA user_version = 0")
        #expect(problemOfOpening()?.code == .damaged)
    }

    @Test("the format's version stands in the file")
    func formatsVersionStandsInTheFile() throws {
        try folder.open().close()
        let bytes = try folder.bytes()
        // SQLite's header: page size, user_version and application_id.
        #expect(bytes[16..<18] == [0x20, 0])
        #expect(bytes[60..<64] == [0, 0, 0, 2])
        #expect(Array(bytes[68..<72]) == Array("Myna".utf8))
    }

    @Test("a file of the first version, which had all batches, is read, and goes on as one of this version")
    func fileOfTheFirstVersionGoesOn() throws {
        let log = try folder.open()
        let batches = try log.append(count: 30)
        try log.close()
        try folder.change("PRAGMA user_version = 1")
        #expect(try RunLog(reading: folder.path).batches() == batches)
        #expect(try folder.bytes()[60..<64] == [0, 0, 0, 1])
        let goingOn = try folder.open()
        #expect(try goingOn.batches() == batches)
        try goingOn.close()
        #expect(try folder.bytes()[60..<64] == [0, 0, 0, 2])
    }

    // MARK: Folders

    @Test("a path that is no folder is refused")
    func pathThatIsNoFolderIsRefused() throws {
        try folder.write([1], to: "file")
        for path in ["file", "file/a"] {
            let problem = words { () throws(LogProblem) in
                _ = try RunLog(folder: "\(folder.path)/\(path)", sync: .full)
            }
            #expect(problem?.code == .foreign)
            #expect(problem?.problem == "it is not a folder: a folder was expected")
        }
        #expect(problem { () throws(LogProblem) in _ = try RunLog(folder: "", sync: .full) } == .missing)
    }

    @Test("what the user may not write is refused", .enabled(if: getuid() != 0, "root may write everything"))
    func whatTheUserMayNotWriteIsRefused() throws {
        try folder.open().close()
        chmod(folder.file, 0o400)
        #expect(problemOfOpening()?.code == .noPermission)
        chmod(folder.file, 0o600)
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        let inner = problem { () throws(LogProblem) in _ = try RunLog(folder: "\(folder.path)/a", sync: .full) }
        #expect(inner == .noPermission)
    }
}
