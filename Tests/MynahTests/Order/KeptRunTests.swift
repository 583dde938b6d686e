import APNsRules
import Foundation
import Logging
import MynahCore
import MynahStore
import MynahTestSupport
import Testing

@testable import Mynah

/// A server's run in its data folder: the snapshots between its changes, what is removed, and how it starts.
@Suite("Kept runs")
struct KeptRunTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/mynah-run-\(UUID().uuidString)"

    /// Calls `body` with a server that keeps its run in the folder.
    private func run<Answer: Sendable>(
        keep: Settings.Keep = .journal, snapshotBytesMin: Int = 20_000, retain: Int = Settings().retain,
        leavingOut leftOut: [ReplayMark.Place] = [],
        _ body: @Sendable (Server) async throws -> Answer
    ) async throws -> Answer {
        var settings = Settings()
        settings.dataDirectory = folder
        settings.sync = .normal
        settings.keep = keep
        settings.snapshotBytesMin = snapshotBytesMin
        settings.retain = retain
        settings.leftOut = leftOut
        return try await ServerInABox.with(settings) { try await body($0.server) }
    }

    private func ids(_ server: Server) async -> [String] { await server.devices(limit: .max).devices.map(\.id) }

    private func changes(_ server: Server, count: Int) async throws {
        for number in 0..<count {
            let device = try DeviceSpecification(
                json: [
                    "name": .string(String(repeating: "n", count: 100)), "registrations": [["topic": "com.example"]],
                ],
                tokenByteCounts: DeviceToken.anyByteCounts)
            _ = try await server.putDevice(device, id: "device-\(number % 50)")
        }
    }

    private func removeFolder() {
        do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }

    @Test(
        "snapshots are written between changes, and what they make needless is removed",
        arguments: Settings.Keep.allCases)
    func snapshots(keep: Settings.Keep) async throws {
        defer { removeFolder() }
        let before = try await run(keep: keep) { server in
            try await changes(server, count: 2_000)
            return await ids(server)
        }
        #expect(before.count == 50)
        do {
            let log = try RunLog(reading: folder)
            let snapshots = try log.snapshots()
            // The first, the last, and some between.
            #expect(keep == .all ? snapshots.count > 3 : (1...3).contains(snapshots.count))
            #expect(snapshots.first?.position == 0 ? keep == .all : keep == .journal)
            try log.close()
        }
        #expect(try await run(keep: keep) { await ids($0) } == before)
    }

    @Test(
        "the snapshots of stops replace one another, but for the last of other settings",
        arguments: Settings.Keep.allCases)
    func snapshotsOfStops(keep: Settings.Keep) async throws {
        defer { removeFolder() }
        var sizes: [Int] = []
        for count in [20, 0, 1, 0, 0, 0] {
            try await run(keep: keep, snapshotBytesMin: 1 << 20) { try await changes($0, count: count) }
            let log = try RunLog(reading: folder)
            let positions = try log.snapshots().map(\.position)
            #expect(positions.last == log.lastPosition && positions.count <= 2, "\(positions)")
            if keep == .all { #expect(positions.first == 0) }
            try log.close()
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(RunLog.fileName)")
            sizes.append(try #require(attributes[.size] as? Int))
        }
        #expect(sizes[5] <= sizes[2] + sizes[0] / 2, "\(sizes)")
        // Other settings begin with a snapshot, which no later one replaces.
        for _ in 0..<2 { try await run(keep: keep, retain: 7) { try await changes($0, count: 1) } }
        let log = try RunLog(reading: folder)
        let positions = try log.snapshots().map(\.position)
        #expect(keep == .all ? positions.count == 3 : positions.count <= 2, "\(positions)")
        try log.close()
    }

    @Test("a run that was trimmed can be looked at from its first snapshot on, and says so of places before it")
    func placesOfTrimmedRun() async throws {
        defer { removeFolder() }
        let (before, numberOfPush) = try await run { server in
            try await changes(server, count: 1_000)
            // What happened since the oldest push is kept.
            let push = OwnPush(
                path: "/3/device/" + String(repeating: "ab", count: 32),
                headers: [("apns-topic", "com.example"), ("apns-push-type", "alert")],
                body: Array(#"{"aps":{"alert":"hi"}}"#.utf8), environment: nil, timeout: Patience.duration)
            #expect(try await server.send(push).status == 200)
            let number = try #require(server.journal.read { $0.entries(after: 0, limit: 1).entries.first?.sequence })
            try await changes(server, count: 1_000)
            return (await ids(server), number)
        }
        let viewer = try RecordedViewer(reading: folder, logger: Logger(label: "mynah.test"))
        func shown(at place: RecordedRun.Place) async throws -> (view: RecordedView, ids: [String]) {
            let server = try await viewer.server(at: place)
            let shown = (try #require(server.recorded), await ids(server))
            try await server.shutDown()
            return shown
        }
        let (end, atEnd) = try await shown(at: .end)
        #expect(atEnd == before)
        #expect(end.last == end.place)
        let first = end.first
        #expect((1..<numberOfPush).contains(first.sequence))
        let number = first.sequence - 1
        await #expect(
            throws: InputError(.invalid, "the run has no number \(number): expected \(first.sequence) or more")
        ) { try await shown(at: .sequence(number)) }
        let time = first.time.advanced(by: .milliseconds(-1))
        let problem = "the run has no state at \(time.rfc3339): expected \(first.time.rfc3339) or later"
        await #expect(throws: InputError(.invalid, problem)) { try await shown(at: .time(time)) }
        let spacing = (end.last.sequence - first.sequence) / 5
        for sequence in stride(from: first.sequence, through: end.last.sequence, by: Int(spacing)) {
            #expect(try await shown(at: .sequence(sequence)).view.place.sequence == sequence)
        }
        #expect(try await shown(at: .time(first.time)).view.place.sequence >= first.sequence)
    }

    @Test(
        "a change that has crashed two starts is left out by the next one, and by all later ones; one at which a start was killed isn't",
        arguments: [true, false])
    func changeThatEndsStarts(crashes: Bool) async throws {
        defer { removeFolder() }
        try await run { try await changes($0, count: 3) }
        let log = try RunLog(folder: folder, sync: .normal)
        let position = log.lastPosition + 1
        // As a process that was killed has it.
        let gone = try OrderedChange(RemoveDevice(id: "device-0"))
        let kept = try OrderedChange(RemoveDevice(id: "device-1"))
        var writer = BatchWriter()
        for change in [gone, kept] { writer.add(change) }
        _ = try log.append(writer.finish(digest: 0), time: RuleWorld.start, rules: OrderApplier.rulesVersion)
        try log.close()
        for _ in 0..<ReplayMark.crashesMax {
            if crashes {
                try await crash(at: position)
            } else {
                #expect(try ReplayMark(folder: folder).begin(ReplayMark.Place(position: position, index: 0)))
            }
        }
        let left = crashes ? ["device-0", "device-2"] : ["device-2"]
        for _ in 0..<2 { #expect(try await run { await ids($0) } == left) }
        let read = try RunLog(reading: folder)
        #expect(try read.text(ofNote: "changes left out") == (crashes ? "\(position)/0" : nil))
        try read.close()
    }

    @Test("a change that can't be read is named, and left out for good once a person says so")
    func changeThatCannotBeRead() async throws {
        defer { removeFolder() }
        try await run { try await changes($0, count: 3) }
        let log = try RunLog(folder: folder, sync: .normal)
        let place = ReplayMark.Place(position: log.lastPosition + 1, index: 1)
        var writer = BatchWriter()
        writer.add(try OrderedChange(RemoveDevice(id: "device-0")))
        writer.add(.command(RemoveDevice.kind, Array("{}".utf8)))
        writer.add(try OrderedChange(RemoveDevice(id: "device-2")))
        _ = try log.append(writer.finish(digest: 0), time: RuleWorld.start, rules: OrderApplier.rulesVersion)
        try log.close()
        func problem(leavingOut leftOut: [ReplayMark.Place] = []) async -> String? {
            await #expect(throws: LogProblem.self) {
                try await run(leavingOut: leftOut) { _ in }
            }?.description
        }
        #expect(await problem()?.contains("leave that change out (--leave-out \(place))") == true)
        let other = ReplayMark.Place(position: place.position, index: 3)
        #expect(await problem(leavingOut: [place, other])?.contains("it has no change \(other) to leave out") == true)
        let logger = Logger(label: "mynah.test")
        #expect(throws: LogProblem.self) { try RecordedViewer(reading: folder, logger: logger) }
        _ = try RecordedViewer(reading: folder, leavingOut: [place], logger: logger)
        for leftOut in [[place], [place], []] {
            #expect(try await run(leavingOut: leftOut) { await ids($0) } == ["device-1"])
        }
    }

    @Test("the change at which a start was killed is named, for a person to decide")
    func killedStart() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { removeFolder() }
        let place = ReplayMark.Place(position: 7, index: 2)
        for (isApplied, killed) in [(false, nil), (true, place), (false, nil), (false, place)] {
            let mark = try ReplayMark(folder: folder)
            #expect(mark.killed == killed)
            #expect(mark.begin(place))
            if isApplied { mark.applied() }
        }
        #expect(ReplayMark.Place("\(place)") == place)
        for text in ["", "7", "7/", "/2", "7/2/1", "0/2", "7/-1", "a/b"] { #expect(ReplayMark.Place(text) == nil) }
    }

    /// Crashes a process of its own while it applies the first change of a batch.
    private func crash(at position: UInt64) async throws {
        await #expect(processExitsWith: .failure) { [folder = folder as String, position = position as UInt64] in
            let mark = try ReplayMark(folder: folder)
            withExtendedLifetime(mark) {
                #expect(mark.begin(ReplayMark.Place(position: position, index: 0)))
                fatalError("the change can't be applied")
            }
        }
    }

    @Test("a crash between two changes, and one that somebody causes from outside, is none of a change")
    func crashesElsewhere() async throws {
        let folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { removeFolder() }
        let place = ReplayMark.Place(position: 7, index: 2)
        for isSent in [true, false, true, false] {
            await #expect(processExitsWith: .failure) { [folder = folder as String, isSent = isSent as Bool] in
                let mark = try ReplayMark(folder: folder)
                #expect(mark.begin(ReplayMark.Place(position: 7, index: 2)))
                guard isSent else {
                    mark.applied()
                    fatalError("something else can't be done")
                }
                let killer = Process()
                killer.executableURL = URL(fileURLWithPath: "/bin/sh")
                killer.arguments = ["-c", "kill -SEGV $PPID"]
                try killer.run()
                killer.waitUntilExit()
                // The signal may come to another thread, and only when that has a processor.
                withExtendedLifetime(mark) {
                    while true { pause() }
                }
            }
        }
        #expect(try ReplayMark(folder: folder).begin(place))
    }

    @Test("the crashes of a change count in a row: those of another one, or a whole start, come between")
    func changeThatCrashedOneStart() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { removeFolder() }
        let one = ReplayMark.Place(position: 7, index: 0)
        try await crash(at: 7)
        #expect(try ReplayMark(folder: folder).begin(one))
        try await crash(at: 8)
        try await crash(at: 7)
        #expect(try ReplayMark(folder: folder).begin(one))
        try await crash(at: 7)
        do {
            let mark = try ReplayMark(folder: folder)
            #expect(!mark.begin(one))
            #expect(mark.begin(ReplayMark.Place(position: 7, index: 1)))
            mark.end()
        }
        #expect(try ReplayMark(folder: folder).begin(one))
    }
}
