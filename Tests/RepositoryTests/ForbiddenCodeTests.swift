import Testing

/// Texts that may not occur in the code of some folders.
struct ForbiddenCode: Sendable, CustomTestStringConvertible {
    /// What may not occur outside comments and string literals.
    let texts: [String]
    /// Folders whose Swift files are looked at.
    let folders: [String]
    /// What to do in its place.
    let instead: String
    /// Files that may contain it, each with the reason; one that no longer does is a failure.
    var exceptions: [String: String] = [:]

    var testDescription: String { texts.joined(separator: ", ") }

    static let everywhere = ["Sources/", "Tests/"]
    static let pure = ["Sources/APNsRules/", "Sources/MynahCore/"]

    static let all = [
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
            texts: ["sleep("], folders: everywhere,
            instead: "an event that is waited for; in tests the ready file, `wait=` or a clock as argument",
            exceptions: [
                "Sources/Mynah/Support/Tasks.swift": "the end of a wait whose event may never come",
                "Sources/MynahCLI/Commands/TailCommand.swift": "a pipe that nobody reads any more sends no event",
                "Sources/MynahCLI/Serve/PushReport.swift": "the log has at most one line a second",
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
}

@Suite("Code that does not occur")
struct ForbiddenCodeTests {
    @Test("forbidden code does not occur", arguments: ForbiddenCode.all)
    func forbiddenCodeDoesNotOccur(rule: ForbiddenCode) throws {
        var unused = Set(rule.exceptions.keys)
        for folder in rule.folders {
            for file in try Repository.swiftFiles(below: folder) {
                for text in rule.texts {
                    let lines = file.lines(containing: text)
                    guard !lines.isEmpty else { continue }
                    guard rule.exceptions[file.path] == nil else {
                        unused.remove(file.path)
                        continue
                    }
                    Issue.record("\(file.path), lines \(lines): '\(text)'; use \(rule.instead)")
                }
            }
        }
        #expect(unused.isEmpty, "exceptions that are not needed any more")
    }

    @Test("a test in Python does not sleep")
    func testInPythonDoesNotSleep() throws {
        for path in try Repository.files(below: "Tests/clients/", endingIn: [".py"]) {
            for (index, line) in try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                let code = line.prefix { $0 != "#" }
                #expect(!code.contains("sleep("), "\(path):\(index + 1) sleeps; wait for an event")
            }
        }
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
