import Testing

/// Closures may not be values of generic types such as `Mutex`, an array or a dictionary.
///
/// There a closure is kept in the form that fits every type. Each access in place, such as `Mutex.withLock`, wraps it to
/// get at it and wraps it again to put it back, so that it grows with every access: calls become slower, memory grows, and
/// releasing the chain overflows the stack. A closure that is a member of a struct is kept as it is.
@Suite("Closures in generic storage")
struct GenericClosureTests {
    @Test("no closure is a value of a generic type; a struct holds it")
    func noClosureIsAValueOfAGenericType() throws {
        let files = try Repository.swiftFiles(below: "Sources/")
        let aliases = Set(files.flatMap(\.functionTypeAliases))
        for file in files {
            let lines = file.linesOfGenericClosures(aliases: aliases)
            #expect(lines.isEmpty, "\(file.path), lines \(lines): make the closure a member of a struct")
        }
    }

    @Test(
        "a closure in generic storage is found, however it is written",
        arguments: [
            "let a = Mutex<(@Sendable () -> Void)?>(nil)", "var a: [String: @Sendable () -> Int] = [:]",
            "var a: [() -> Void] = []", "private let a: Mutex<\n    (Int) async throws -> Void\n>",
            "let a: Mutex<[(name: String, body: () -> Void)]>", "func f(_ queue: DueQueue<() -> Void>.Ticket)",
            "let a: Mutex<Handler?>", "var a: [Handler]", "let a = Box<Result<Handler, Never>>()",
        ])
    func closureInGenericStorageIsFound(code: String) {
        #expect(SwiftFile(path: "A.swift", text: code).linesOfGenericClosures(aliases: ["Handler"]).count == 1)
    }

    @Test(
        "other closures are not",
        arguments: [
            "let a: (@Sendable ([Int]) -> Void)?",
            "func f<Value: Sendable>(_ a: (Mutex<Value>) -> [Value]) -> Set<Value>",
            "let a = list.map { (b: Int) -> Int in b }", "let a = [1].map { b -> Int in c[b] < d ? 1 : 2 }",
            "if a < b, c > d { return [e { () -> Void in }] }", "struct S { var a: () -> Void }; var b: [S]",
            "typealias Handler = (Int) -> Void", "let handler: Handler", "// Mutex<() -> Void>",
            "for i in 0..<count {}",
        ])
    func otherClosuresAreNot(code: String) {
        #expect(SwiftFile(path: "A.swift", text: code).linesOfGenericClosures(aliases: ["Handler"]).isEmpty)
    }

    @Test("names of function types are found")
    func namesOfFunctionTypesAreFound() {
        let text = "typealias A = Int\npublic typealias B = @Sendable (A) throws(C) -> [A]\n"
        #expect(SwiftFile(path: "A.swift", text: text).functionTypeAliases == ["B"])
    }
}

extension SwiftFile {
    /// The names of type aliases that stand for function types.
    fileprivate var functionTypeAliases: [String] {
        lines(containing: "typealias").compactMap { number in
            let line = codeLines[number - 1]
            let words = line.split(separator: " ")
            guard line.contains("->"), let keyword = words.firstIndex(of: "typealias"), keyword + 1 < words.count else {
                return nil
            }
            return String(words[keyword + 1])
        }
    }

    /// The numbers, from 1, of the lines on which a function type, or one of `aliases`, is an argument of a generic type or
    /// the element of a collection.
    fileprivate func linesOfGenericClosures(aliases: Set<String>) -> [Int] {
        var found: [Int] = []
        // The brackets that are open; angles only where they follow a name, as operators stand between spaces.
        var open: [UnicodeScalar] = []
        func isGeneric() -> Bool {
            open.reversed().prefix { $0 != "{" }.contains { $0 == "<" || $0 == "[" }
        }
        for (index, line) in codeLines.enumerated() {
            let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
            var wordBegin = 0
            for (place, byte) in bytes.enumerated() where !SwiftFile.isOfWord(byte) {
                let hasWord = wordBegin < place
                if hasWord, !aliases.isEmpty,
                    aliases.contains(String(decoding: bytes[wordBegin..<place], as: UTF8.self)), isGeneric()
                {
                    found.append(index + 1)
                }
                wordBegin = place + 1
                switch UnicodeScalar(byte) {
                case "(", "[", "{": open.append(UnicodeScalar(byte))
                case "<" where hasWord: open.append(UnicodeScalar(byte))
                case ">" where place > 0 && bytes[place - 1] == UInt8(ascii: "-"):
                    if isGeneric() { found.append(index + 1) }
                case ">" where open.last == "<": open.removeLast()
                case ")", "]", "}":
                    while open.last == "<" { open.removeLast() }
                    _ = open.popLast()
                default: break
                }
            }
        }
        return Array(Set(found)).sorted()
    }
}
