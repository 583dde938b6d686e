import Testing

/// Texts that may not occur in the code of some folders.
struct ForbiddenCode: Sendable, CustomTestStringConvertible {
    /// What may not occur outside comments; in Swift nor within string literals.
    let texts: [String]
    /// A regular expression that a line with one of the texts has to match as well to be a finding.
    var pattern: String? = nil
    /// Folders whose files are looked at.
    let folders: [String]
    /// How the names of the files end.
    var endings = [".swift"]
    /// What to do in its place.
    let instead: String
    /// Files that may contain it, each with the reason; one that no longer does is a failure.
    var exceptions: [String: String] = [:]

    /// Lines that are findings; for rules with a pattern, which could come to match nothing.
    var findings: [String] = []

    var testDescription: String { pattern ?? texts.joined(separator: ", ") }

    static let everywhere = ["Sources/", "Tests/"]
    static let pure = ["Sources/APNsRules/", "Sources/MynahCore/"]

    static let all = inSources + inTests

    private static let inSources = [
        ForbiddenCode(
            texts: ["@unchecked Sendable"], folders: everywhere,
            instead: "a value in a Mutex, a class confined to its loop, or a struct of lets"
        ),
        ForbiddenCode(
            texts: ["nonisolated(unsafe)"], folders: everywhere,
            instead: "a let of a Sendable type, or a Mutex"
        ),
        ForbiddenCode(texts: ["try!"], folders: everywhere, instead: "try, with a typed error"),
        ForbiddenCode(
            texts: [") = ("], pattern: #"(^|[{:;] ?)\s*((let|var) )?\([\w., ]+\)(: \(.*\))? = \("#, folders: everywhere,
            instead: "an assignment for each value, or swap",
            findings: [
                "(self.name, count) = (name, 0)", "    let (first, last) = (0, 9)",
                "init(_ x: Int, y: Int) { (self.x, self.y) = (x, y) }", "case .none: (name, count) = (nil, 0)",
                "var (name, count): (String?, Int) = (nil, 0)",
            ]
        ),
        ForbiddenCode(
            texts: ["cluster", "Cluster"],
            folders: [
                "Channels", "Connection", "Devices", "Embedding", "Faults", "Journal", "Listening", "Log", "Order",
                "Proxy",
                "Server", "Simulation", "Trust",
            ].map { "Sources/Mynah/\($0)/" },
            instead:
                "what `OrderSharing` or `ConnectionSharing` says: all that knows of other servers is in Mynah/Cluster",
            exceptions: ["Sources/Mynah/Server/Server.swift": "its place in a cluster, with which it is opened"]
        ),
        ForbiddenCode(
            texts: ["sleep("], folders: everywhere,
            instead: "an event that is waited for; in tests the ready file, `wait=` or a clock as argument",
            exceptions: [
                "Sources/Mynah/Support/Tasks.swift": "the end of a wait whose event may never come",
                "Sources/MynahCLI/Commands/TailCommand.swift": "a pipe that nobody reads any more sends no event",
                "Sources/MynahCLI/Fixtures/FixtureWatch.swift": "not every file system tells of a change",
                "Sources/MynahCLI/Serve/PushReport.swift": "the log has at most one line a second",
                "Sources/MynahCLI/Serve/ServerRuntime.swift": "a clock that is put right sends no event",
                "Sources/MynahClient/ControlClient+Events.swift": "the pause before another connection is tried",
                "Sources/MynahControl/Streaming/EventStream.swift": "the interval between two reads, longer under load",
                "Sources/MynahCLI/Commands/HealthcheckCommand.swift": "a server that is not there yet sends no event",
                "Sources/MynahControl/Server/ControlListener.swift": "the end of the grace that calls get at shutdown",
                "Sources/MynahControl/Streaming/DeviceUpdates.swift": "comments are written when nothing happens",
                "Sources/MynahControl/Streaming/StalledReader.swift": "a reader that takes nothing sends no event",
                "Sources/Mynah/Journal/JournalWait.swift": "under load a wait looks at the journal in intervals",
            ]
        ),
        ForbiddenCode(
            // `push.now` is an instant that was handed over; `.now` alone, or of a clock or a date, asks the machine.
            texts: [
                "Date()", "Date.now", "Clock.now", "Instant.now", "ContinuousClock", "SuspendingClock", " .now",
                "(.now",
            ],
            folders: pure,
            instead: "the instant as an argument"
        ),
        ForbiddenCode(
            texts: ["random(in:", ".random(using:", "shuffle", "randomElement("], folders: pure,
            instead: "the draws of SeededGenerator, which stay the same with every version of Swift"
        ),
        ForbiddenCode(texts: ["unsafe "], folders: pure, instead: "Span, or the code moves to the C edge"),
        ForbiddenCode(
            // What holds a library is not the library's to end.
            texts: ["exit("], pattern: #"\b_?exit\("#,
            folders: [
                "Sources/APNsRules/", "Sources/Mynah/", "Sources/MynahClient/", "Sources/MynahComparison/",
                "Sources/MynahControl/", "Sources/MynahCore/", "Sources/MynahStore/", "Sources/MynahSystem/",
                "Sources/MynahTesting/", "Sources/MynahTrust/", "Sources/MynahWire/", "Sources/MynahYAML/",
            ],
            instead: "an error, or a call of whoever holds the library",
            findings: ["_exit(1)", "exit(EXIT_FAILURE)"]
        ),
        ForbiddenCode(
            texts: ["print("],
            folders: [
                "Sources/APNsRules/", "Sources/Mynah/", "Sources/MynahClient/", "Sources/MynahControl/",
                "Sources/MynahCore/", "Sources/MynahStore/", "Sources/MynahTesting/", "Sources/MynahTrust/",
                "Sources/MynahWire/",
            ],
            instead: "a Logger, or a value that the command line prints",
            exceptions: ["Sources/MynahTesting/TestRun.swift": "the output of swift test is the place for it"]
        ),
    ]

    /// The numbers, from 1, of the lines of code that are findings.
    ///
    /// - Throws: What `Regex` throws for an invalid pattern.
    func lines(in code: [Substring]) throws -> [Int] {
        // Simple: to Unicode's rules, `time.sleep` is one word.
        let regex = try pattern.map { try Regex($0).wordBoundaryKind(.simple) }
        return code.indices.filter { index in
            let line = code[index]
            guard texts.contains(where: line.contains) else { return false }
            return regex.map { line.firstMatch(of: $0) != nil } ?? true
        }.map { $0 + 1 }
    }
}

@Suite("Code that does not occur")
struct ForbiddenCodeTests {
    @Test("forbidden code does not occur", arguments: ForbiddenCode.all)
    func forbiddenCodeDoesNotOccur(rule: ForbiddenCode) throws {
        var unused = Set(rule.exceptions.keys)
        for folder in rule.folders {
            for path in try Repository.files(below: folder, endingIn: rule.endings) {
                let found = try rule.lines(in: Repository.codeLines(of: path, containingOneOf: rule.texts))
                guard !found.isEmpty, unused.remove(path) == nil else { continue }
                Issue.record("\(path), lines \(found): '\(rule.testDescription)'; use \(rule.instead)")
            }
        }
        #expect(unused.isEmpty, "exceptions that are not needed any more")
    }

    @Test("what a pattern is for is found", arguments: ForbiddenCode.all.filter { $0.pattern != nil })
    func whatAPatternIsForIsFound(rule: ForbiddenCode) throws {
        #expect(!rule.findings.isEmpty)
        for line in rule.findings { #expect(try rule.lines(in: [line[...]]) == [1], "'\(line)'") }
    }

    @Test("comments of scripts are not code")
    func commentsOfScriptsAreNotCode() {
        let lines = ScriptFile.codeLines(of: "a # sleep 1\n# sleep 1\n${b#sleep 1}\n")
        #expect(lines.map { $0.contains("sleep") } == [false, false, true, false])
    }

    @Test("comments and strings are not code")
    func commentsAndStringsAreNotCode() {
        let file = SwiftFile(
            path: "Sources/X/Y.swift",
            text: #"""
                // try! a
                let a = "try! \" try!" /* try! /* try! */ try! */
                let b = #"try! " \"#, c = try!
                """#
        )
        #expect(file.lines(containing: "try!") == [3])
    }

    @Test("imports are found whatever stands before them")
    func importsAreFoundWhateverStandsBeforeThem() {
        let file = SwiftFile(
            path: "Sources/X/Y.swift",
            text:
                "import A\ninternal import B\n@testable import C // import D\nimport struct E.F\nlet x = \"import G\"\n"
        )
        #expect(file.imports.map(\.module) == ["A", "B", "C", "E"])
    }
}
