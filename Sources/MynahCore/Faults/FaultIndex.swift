internal import APNsRules

/// The rules of one event by what they name, so that a request finds the rules that it may match.
///
/// Each rule is in one place, its most selective: an exact value, the first bits of a token, a header field's value, the
/// gate of a field whose values repeat from request to request, a value in the payload, or else among the rules that
/// are tried for every request. All conditions are checked afterwards.
struct FaultIndex {
    /// Rules whose condition on one field is not an exact value, with the outcome for the values seen so far.
    private struct Gate {
        var rules: [(position: Int, matcher: Matcher)] = []
        // The rules that a value of the field may match, by the value, which is `nil` if the field is absent.
        var passing: [String?: [Int]] = [:]
    }

    /// The most values that a gate remembers before it starts over; a provider has a handful of topics and keys.
    private static let valuesMax = 256
    private static let exactKeys: [FilterKey] = [
        .token, .apnsId, .device, .connection, .channel, .collapseId, .scope, .topic, .keyId, .team,
    ]
    private static let repeatingKeys: [FilterKey] = [.topic, .scope, .keyId, .team, .environment]

    private var byToken: [DeviceToken: [Int]] = [:]
    // The rules by the bits that a token begins with; one table for each number of bits.
    private var byTokenPrefix: [Int: [UInt64: [Int]]] = [:]
    private var byConnection: [UInt64: [Int]] = [:]
    private var byHeader = FaultHeaderIndex()
    private var byText: [FilterKey: [String: [Int]]] = [:]
    // The rules by a string, number or truth value in the payload, one table for each place.
    private var byPayload: [FilterField: [JSONValue: [Int]]] = [:]
    private var gates: [(key: FilterKey, gate: Gate)] = []
    private var others: [Int] = []
    private(set) var isEmpty = true
    // What ``excludes(_:connection:)`` looks at.
    private var tokenHeads = TokenHeads()
    private var namesTopics = false
    private var namesMore = false
    // The last topic that no rule names and no gate lets pass.
    private var unnamedTopic: [UInt8]?

    /// Adds a rule by its place in the order of all.
    mutating func insert(_ position: Int, _ conditions: [Filter.Condition]) {
        isEmpty = false
        for key in FaultIndex.exactKeys {
            guard let values = FaultIndex.exactValues(of: key, conditions) else { continue }
            return insert(position, key: key, values: values)
        }
        for condition in conditions where condition.field == .key(.token) {
            guard let bits = condition.matcher.literalPrefix.flatMap(FaultIndex.bits) else { continue }
            tokenHeads.insert(bits.value << UInt64(UInt64.bitWidth - bits.count), bitCount: bits.count)
            return byTokenPrefix[bits.count, default: [:]][bits.value, default: []].append(position)
        }
        for condition in conditions {
            guard case .header(let name) = condition.field, let values = condition.matcher.exactValues else { continue }
            let texts = Set(values.compactMap(\.string))
            guard texts.count == Set(values).count else { continue }
            for text in texts { byHeader.insert(position, name: name, value: text) }
            return
        }
        for key in FaultIndex.repeatingKeys {
            guard let condition = conditions.first(where: { $0.field == .key(key) }) else { continue }
            let place = gates.firstIndex { $0.key == key } ?? gates.count
            if place == gates.count { gates.append((key, Gate())) }
            addKey(key)
            return gates[place].gate.rules.append((position, condition.matcher))
        }
        namesMore = true
        for condition in conditions {
            guard case .place(.payload, _) = condition.field, let values = condition.matcher.exactValues,
                values.allSatisfy(FaultIndex.isScalar)
            else { continue }
            for value in Set(values) { byPayload[condition.field, default: [:]][value, default: []].append(position) }
            return
        }
        others.append(position)
    }

    /// Whether a value can be looked up by its hash, unlike documents, which may be equal but written differently.
    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .string, .number, .bool: true
        case .null, .array, .object, .raw: false
        }
    }

    /// The values of a key of which a request must have one; `nil` if the conditions allow others.
    private static func exactValues(of key: FilterKey, _ conditions: [Filter.Condition]) -> Set<JSONValue>? {
        conditions.lazy.filter { $0.field == .key(key) }.compactMap(\.matcher.exactValues).first.map { Set($0) }
    }

    /// The first bits of a token, at most the bits of ``DeviceToken/leadingWord``; `nil` if they aren't hexadecimal.
    private static func bits(ofDigits prefix: String) -> (value: UInt64, count: Int)? {
        let digits = prefix.prefix(UInt64.bitWidth / 4)
        // `UInt64` takes a sign as well.
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt64(digits, radix: 16).map { ($0, digits.utf8.count * 4) }
    }

    private mutating func insert(_ position: Int, key: FilterKey, values: Set<JSONValue>) {
        switch key {
        case .token:
            let lengths = 1...DeviceToken.byteCountMax
            let tokens = values.compactMap { $0.string.flatMap { DeviceToken($0, byteCounts: lengths) } }
            for token in Set(tokens) {
                tokenHeads.insert(token.leadingWord, bitCount: UInt64.bitWidth)
                byToken[token, default: []].append(position)
            }
        case .connection:
            let numbers = values.compactMap { $0.integer.flatMap { UInt64(exactly: $0) } }
            for number in Set(numbers) { byConnection[number, default: []].append(position) }
        default:
            addKey(key)
            for text in values.compactMap(\.string) { byText[key, default: [:]][text, default: []].append(position) }
        }
    }

    private mutating func addKey(_ key: FilterKey) {
        if key == .topic { namesTopics = true } else { namesMore = true }
    }

    /// Whether no rule can match a push, as far as its token, its connection, its topic and the names of its header
    /// fields tell: for nearly every push that no rule matches, without copying or hashing anything.
    mutating func excludes(_ push: borrowing Candidate, connection: UInt64) -> Bool {
        if namesMore { return false }
        if byHeader.mayName(push.fields) { return false }
        if let word = push.token?.leadingWord, tokenHeads.contains(word) { return false }
        if !byConnection.isEmpty, byConnection[connection] != nil { return false }
        return namesTopics ? excludesTopic(of: push) : true
    }

    private mutating func excludesTopic(of push: borrowing Candidate) -> Bool {
        guard let place = push.topicPlace else { return false }
        let bytes = push.headers.storage.span.extracting(place)
        if let unnamedTopic, bytes.equals(unnamedTopic) { return true }
        let topic = push.headers.text(place)
        guard byText[.topic]?[topic] == nil else { return false }
        for place in gates.indices where !passing(place, topic).isEmpty { return false }
        unnamedTopic = Array(topic.utf8)
        return true
    }

    /// The places of the rules that a request can meet, in order.
    mutating func positions(for facts: inout FaultFacts) -> [Int] {
        var positions = others
        var isSorted = true
        func add(_ more: [Int]?) {
            guard let more, !more.isEmpty else { return }
            isSorted = isSorted && positions.isEmpty
            positions += more
        }
        if let token = facts.token {
            add(byToken[token])
            for (count, rules) in byTokenPrefix { add(rules[token.leadingWord >> UInt64(UInt64.bitWidth - count)]) }
        }
        if !byHeader.isEmpty { add(byHeader.positions(for: facts)) }
        add(byConnection[facts.connection])
        for (key, rules) in byText { add(facts.text(of: key).flatMap { rules[$0] }) }
        for (field, rules) in byPayload { for value in facts.values(of: field) { add(rules[value]) } }
        for place in gates.indices { add(passing(place, facts.text(of: gates[place].key))) }
        return isSorted ? positions : positions.sorted()
    }

    private mutating func passing(_ place: Int, _ text: String?) -> [Int] {
        if let known = gates[place].gate.passing[text] { return known }
        let values: [JSONValue] = text.map { [.string($0)] } ?? []
        let passing = gates[place].gate.rules.filter { $0.matcher.matches(anyOf: values) }.map(\.position)
        if gates[place].gate.passing.count >= FaultIndex.valuesMax { gates[place].gate.passing = [:] }
        gates[place].gate.passing[text] = passing
        return passing
    }
}

/// The first bits of tokens: a small set that tells most other tokens without hashing them.
private struct TokenHeads {
    private static let bitCount = 12
    private var words: [UInt64] = []

    /// Adds the tokens that begin with the first `bitCount` bits of a word.
    mutating func insert(_ word: UInt64, bitCount: Int) {
        if words.isEmpty { words = Array(repeating: 0, count: (1 << TokenHeads.bitCount) / UInt64.bitWidth) }
        let first = TokenHeads.head(of: word)
        for head in first..<first + 1 << max(0, TokenHeads.bitCount - bitCount) {
            words[head / UInt64.bitWidth] |= 1 << UInt64(head % UInt64.bitWidth)
        }
    }

    /// Whether a token that begins with this word may be among them.
    func contains(_ word: UInt64) -> Bool {
        guard !words.isEmpty else { return false }
        let head = TokenHeads.head(of: word)
        return words[head / UInt64.bitWidth] & 1 << UInt64(head % UInt64.bitWidth) != 0
    }

    private static func head(of word: UInt64) -> Int { Int(word >> UInt64(UInt64.bitWidth - bitCount)) }
}

extension Matcher {
    /// What every text that satisfies this begins with, in lower case; `nil` if that is unknown.
    fileprivate var literalPrefix: String? {
        switch self {
        case .prefix(let text): text.lowercased()
        case .regex(let pattern): pattern.prefix.isEmpty ? nil : pattern.prefix
        default: nil
        }
    }
}
