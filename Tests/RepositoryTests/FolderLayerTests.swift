import Testing

/// The folders of a target in their order: a file may use types of its own folder and of those before it.
struct FolderLayers: Sendable {
    /// The files right in the target's folder.
    static let root = "."

    /// A row for each target whose folders are in layers.
    static let all = [
        FolderLayers(
            target: "MynahCore",
            folders: [
                "Coding", "Tables", "Vocabulary", "Documents", "Time", "Language", "Screen", "WebPush", "Devices",
                "Channels", "Faults", "Journal", "Expectations", "Events",
            ]),
        FolderLayers(
            target: "MynahTrust",
            folders: ["Files", "OpenSSL", "Keys", "Tokens", "WebPush", "X509", "Certificates", "State"]),
        FolderLayers(target: "MynahWire", folders: ["HTTP2", "TLS", "Client", "Proxy", "Connection", "HTTP1"]),
        FolderLayers(
            target: "Mynah",
            folders: [
                "Support", "Log", "Listening", "Journal", "Devices", "Channels", "Trust", "Faults", "Simulation",
                "Order", "Cluster", "Connection", "Proxy", "Server", "Embedding",
            ],
            // A command, and the server's call that performs it; what a cluster has a server do.
            extended: [
                "Sources/Mynah/Simulation/Commands/": "Server", "Sources/Mynah/Cluster/Server/": "Server",
            ]),
        FolderLayers(
            target: "MynahControl",
            folders: [
                "Request", "Safety", "Metrics", "Streaming", "Calls", "Reading", "OpenAPI", "Page", "Server",
                "Fixtures",
                "Embedding", "Routes",
            ]),
        FolderLayers(target: "MynahClient", folders: [root, "Answers", "Calls", "Provider"]),
    ]

    let target: String
    let folders: [String]
    /// Files below such a path may extend a type of a later folder, by what they have beside their own types: the
    /// extension then is of that type's folder, and uses what that folder may use.
    var extended: [String: String] = [:]

    /// The folder of a file, relative to the target's.
    func folder(of file: SwiftFile) -> String {
        let components = file.path.split(separator: "/")
        return components.count > 3 ? String(components[2]) : Self.root
    }

    /// A sentence for each use of a type that lies in a later folder, or in one without a place in the order.
    func findings(in files: [SwiftFile]) -> [String] {
        let places = Dictionary(uniqueKeysWithValues: folders.enumerated().map { ($1, $0) })
        var folderOfType: [Substring: String] = [:]
        for file in files {
            for type in file.types where type.isTopLevel { folderOfType[type.name] = folder(of: file) }
        }
        var findings: [String] = []
        for file in files {
            let own = folder(of: file)
            guard places[own] != nil else {
                findings.append("\(file.path): \(target) has no place for the folder \(own); expected \(folders)")
                continue
            }
            let guest = extended.first { file.path.hasPrefix($0.key) }?.value
            var folder = own
            let nested = Set(file.types.filter { !$0.isTopLevel }.map(\.name))
            for (index, line) in file.codeLines.enumerated() {
                if line == "}" { folder = own }
                if line.hasPrefix("extension "), let guest,
                    Self.typeNames(in: line).first.flatMap({ folderOfType[$0] }) == guest
                {
                    folder = guest
                }
                guard let place = places[folder] else { continue }
                for name in Self.typeNames(in: line) where !nested.contains(name) {
                    guard let other = folderOfType[name], other != folder, places[other].map({ $0 > place }) ?? false
                    else { continue }
                    findings.append(
                        "\(file.path):\(index + 1) uses \(name) of \(target)/\(other); "
                            + "\(folder) may use \(folders[..<place].joined(separator: ", "))")
                }
            }
        }
        return findings
    }

    /// The capitalised names of a line, without members such as `.Entry`.
    private static func typeNames(in line: Substring) -> [Substring] {
        let bytes = Array(line.utf8)
        var names: [Substring] = []
        var place = 0
        while place < bytes.count {
            guard SwiftFile.isOfWord(bytes[place]) else {
                place += 1
                continue
            }
            let start = place
            while place < bytes.count, SwiftFile.isOfWord(bytes[place]) { place += 1 }
            let lead = bytes[..<start].suffix(2)
            // Behind the dots of a range is a name of its own.
            let isRange = lead.elementsEqual("..".utf8)
            let isMember = lead.last == UInt8(ascii: "`") || lead.last == UInt8(ascii: ".") && !isRange
            guard !isMember, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[start]), place > start + 1 else {
                continue
            }
            names.append(Substring(decoding: bytes[start..<place], as: UTF8.self))
        }
        return names
    }
}

extension SwiftFile {
    /// Whether a byte of UTF-8 is of a word: a letter, a digit or an underscore.
    static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// The types that the file declares and that other files can use.
    var types: [(name: Substring, isTopLevel: Bool)] {
        // Few lines are worth a regular expression.
        let numbers = Set(
            ["struct", "class", "enum", "protocol", "actor", "typealias"].flatMap { lines(containing: $0) })
        return numbers.sorted().compactMap { number in
            guard
                let match = codeLines[number - 1].firstMatch(
                    of:
                        /^(\s*)((?:@?\w+(?:\([^)]*\))?\s+)*?)(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/
                )
            else { return nil }
            let isPrivate = match.2.split(separator: " ").contains("private")
            return (match.3, match.1.isEmpty && !isPrivate)
        }
    }
}

@Suite("Folders in layers")
struct FolderLayerTests {
    @Test("a file uses types of its folder and of those before it", arguments: FolderLayers.all.indices)
    func fileUsesItsOwnAndEarlierFolders(row: Int) throws {
        let layers = FolderLayers.all[row]
        let files = try Repository.swiftFiles(below: "Sources/\(layers.target)/")
        for finding in layers.findings(in: files) { Issue.record("\(finding)") }
        #expect(Set(files.map(layers.folder)) == Set(layers.folders), "a folder of the table has no files")
    }

    @Test("a use of a later folder is found, wherever it is")
    func useOfALaterFolderIsFound() {
        let layers = FolderLayers(target: "X", folders: ["A", "B"])
        let findings = layers.findings(in: [
            SwiftFile(
                path: "Sources/X/A/One.swift",
                text:
                    "package struct One { // Two\n  enum Three {}\n  let two: [Two], three: Three, four = Y.Four()\n"
                    + "  let mine = 1...Three.max, other = 1...Two.max\n}\n"
            ),
            SwiftFile(path: "Sources/X/B/Two.swift", text: "struct Two: Sendable {}\nprivate struct One {}\n"),
            SwiftFile(path: "Sources/X/B/Three.swift", text: "final class Three { let one: One }\nenum Four {}\n"),
            SwiftFile(path: "Sources/X/C/Five.swift", text: "enum Five {}\n"),
        ])
        #expect(
            findings == [
                "Sources/X/A/One.swift:3 uses Two of X/B; A may use ",
                "Sources/X/A/One.swift:4 uses Two of X/B; A may use ",
                "Sources/X/C/Five.swift: X has no place for the folder C; expected [\"A\", \"B\"]",
            ])
    }

    @Test("an extension of a type of the named folder is of that folder, and what is around it is not")
    func extensionOfALaterType() {
        let files = [
            SwiftFile(
                path: "Sources/X/A/Sub/One.swift",
                text:
                    "struct One {}\nextension Two {\n  func other() -> Two { Two() }\n}\nlet two = Two()\n"
                    + "extension Three {}\n"
            ),
            SwiftFile(path: "Sources/X/A/Four.swift", text: "extension Two {}\n"),
            SwiftFile(path: "Sources/X/B/Two.swift", text: "struct Two {}\n"),
            SwiftFile(path: "Sources/X/C/Three.swift", text: "struct Three {}\n"),
        ]
        let layers = FolderLayers(target: "X", folders: ["A", "B", "C"], extended: ["Sources/X/A/Sub/": "B"])
        #expect(
            layers.findings(in: files) == [
                "Sources/X/A/Sub/One.swift:5 uses Two of X/B; A may use ",
                "Sources/X/A/Sub/One.swift:6 uses Three of X/C; A may use ",
                "Sources/X/A/Four.swift:1 uses Two of X/B; A may use ",
            ])
    }
}
