package import APNsRules

/// A member of a kind of document, described once: its name, its form, what it means, and how it is read and printed.
///
/// Lists of fields make the readers of requests, the answers, the filters of lists, the OpenAPI document with its
/// sentences, the types of the Python package and the help of commands, so that one more member is one more field.
package struct Field<Root: Sendable>: Sendable {
    package let member: Member
    package let uses: FieldUses
    /// The member's form in an answer.
    package let shown: Form
    /// The member's value in an answer.
    package let json: @Sendable (Root) -> JSONValue
    /// The property that it sets, if it sets a single one.
    package let path: (any AnyKeyPath & Sendable)?
    /// Whether an answer has the member; `nil` if all have it.
    fileprivate let isPresent: (@Sendable (Root) -> Bool)?
    /// Sets what a reader has checked; a member that is absent or `null` gets its default.
    let set: @Sendable (inout Root, ObjectReader) throws(InputError) -> Void

    package var name: String { member.name }

    /// A field by how it is read and printed; `shown` is its form in an answer, if that isn't what requests have.
    package init(
        _ member: Member, path: (any AnyKeyPath & Sendable)? = nil, shown: Form? = nil, uses: FieldUses = .settable,
        where isPresent: (@Sendable (Root) -> Bool)? = nil, json: @escaping @Sendable (Root) -> JSONValue,
        set: @escaping @Sendable (inout Root, ObjectReader) throws(InputError) -> Void
    ) {
        self.member = member
        self.path = path
        self.uses = uses
        self.shown = shown ?? member.form.shown
        self.isPresent = isPresent
        self.json = json
        self.set = set
    }

    /// A field of a property.
    ///
    /// - Parameters:
    ///   - form: Narrower than the form of all values of its type.
    ///   - shown: Its form in an answer, if that isn't what requests have.
    ///   - isDefaultSaid: `false` where the default is not the same for all documents.
    ///   - check: Throws for a value of the form that is not valid at a place.
    package init<Value: DocumentValue>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ sentence: String,
        default standard: Value,
        form: Form = Value.form, shown: Form? = nil, isDefaultSaid: Bool = true, uses: FieldUses = .settable,
        check: (@Sendable (Value, String) throws(InputError) -> Void)? = nil
    ) {
        let said = isDefaultSaid ? standard.json : .null
        self.init(
            Member(
                name, form, summary: sentence, default: said == .null || said.array != nil ? .none : said,
                isNullByDefault: standard.json == .null),
            path: path, shown: shown ?? (Value.isOptional ? .nullable(form.shown) : form.shown), uses: uses,
            json: { $0[keyPath: path].json },
            set: { root, reader throws(InputError) in
                guard let json = reader[name] else {
                    root[keyPath: path] = standard
                    return
                }
                let value = try Value(json: json, at: reader.place(name))
                try check?(value, reader.place(name))
                root[keyPath: path] = value
            })
    }

    /// A field that is only shown; a document that is made may have it, so that an answer can be sent back, and it is
    /// ignored there if `uses` has ``FieldUses/made``.
    ///
    /// - Parameters:
    ///   - sentence: What the member means, to which is added that `null` stands for no value; left out for a form that
    ///     is described itself, and where it is plain.
    ///   - isPresent: Tells the answers that have the member, if not all have it.
    package init(
        shown name: String, _ form: Form, _ sentence: String = "", uses: FieldUses = .shown,
        where isPresent: (@Sendable (Root) -> Bool)? = nil, json: @escaping @Sendable (Root) -> JSONValue
    ) {
        // The form isn't changed: a form of an answer may state its limits.
        self.init(
            Member(name, form, summary: sentence), shown: form, uses: uses, where: isPresent, json: json,
            set: { _, _ in })
    }

    /// A field of a request's document that the document's initializer reads, because it checks it against others.
    package init(_ member: Member, json: @escaping @Sendable (Root) -> JSONValue) {
        self.init(member, uses: .made, json: json, set: { _, _ in })
    }

    /// The same for a member that answers show, too.
    package init(_ member: Member, shown: Form, json: @escaping @Sendable (Root) -> JSONValue) {
        self.init(member, shown: shown, uses: [.made, .shown], json: json, set: { _, _ in })
    }

    /// The same for a member that is left out where `json` is `nil`.
    package init(_ member: Member, given json: @escaping @Sendable (Root) -> JSONValue?) {
        self.init(
            member, uses: .made, where: { json($0) != nil }, json: { json($0) ?? .null }, set: { _, _ in })
    }

    /// Whether an answer that shows a part of something has the member.
    fileprivate func isPresent<Whole>(
        in part: @escaping @Sendable (Whole) -> Root
    ) -> (@Sendable (Whole) -> Bool)? {
        guard let isPresent else { return nil }
        return { whole in isPresent(part(whole)) }
    }

    /// What the member means in an answer, with a sentence that `null` stands for no value.
    fileprivate var sentenceOfAnswer: String {
        guard case .nullable = shown, member.summary.hasSuffix("."), !member.summary.contains("null") else {
            return member.summary
        }
        return member.summary.dropLast() + "; null for none."
    }

    /// This field as a member of a larger document, of which this field's document is a part.
    package func lifted<Whole>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> Field<Whole> {
        let json = json
        let set = set
        return Field<Whole>(
            member, shown: shown, uses: uses, where: isPresent(in: { $0[keyPath: path] }),
            json: { json($0[keyPath: path]) },
            set: { whole, reader throws(InputError) in try set(&whole[keyPath: path], reader) })
    }
}

/// The documents that have a member.
package struct FieldUses: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The document by which a call makes a value.
    package static let made = FieldUses(rawValue: 1 << 0)
    /// The document that changes it; there `null` counts as absent.
    package static let changed = FieldUses(rawValue: 1 << 1)
    /// A change in which `null` brings the default back.
    package static let cleared: FieldUses = [.changed, FieldUses(rawValue: 1 << 2)]
    /// The answer that shows a value.
    package static let shown = FieldUses(rawValue: 1 << 3)
    /// The filters of lists of values.
    package static let filtered = FieldUses(rawValue: 1 << 4)

    package static let settable: FieldUses = [.made, .changed, .shown]
    package static let clearable: FieldUses = [.made, .cleared, .shown]
}

/// The members of a kind of document, in the order in which they are printed.
package struct Fields<Root: Sendable>: Sendable, ExpressibleByArrayLiteral {
    package let all: [Field<Root>]
    package init(_ fields: [Field<Root>]) { all = fields }
    package init(arrayLiteral fields: Field<Root>...) { all = fields }
    package static func + (left: Fields, right: Fields) -> Fields { Fields(left.all + right.all) }
    package subscript(name: String) -> Field<Root>? { all.first { $0.name == name } }

    package func lifted<Whole>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> Fields<Whole> {
        Fields<Whole>(all.map { $0.lifted(path) })
    }

    /// The fields of one kind of document.
    package func used(_ uses: FieldUses) -> [Field<Root>] { all.filter { $0.uses.isSuperset(of: uses) } }

    /// The members of the document that makes a value.
    package var making: Schema { Schema(used(.made).map(\.member)) }
    /// The members of the document that changes one, which has no defaults.
    package var changing: Schema {
        Schema(used(.changed).map { Member($0.name, $0.member.form, summary: $0.member.summary) })
    }
    /// The members of an answer.
    package var showing: Schema {
        Schema(
            used(.shown).map {
                Member($0.name, $0.shown, summary: $0.sentenceOfAnswer, isOptional: $0.isPresent != nil)
            })
    }

    /// The members of the answer that shows a value.
    package func members(of root: Root) -> [JSONMember] { members(of: root, in: .shown) }

    private func members(of root: Root, in document: FieldUses) -> [JSONMember] {
        all.compactMap { field in
            guard field.uses.contains(document), field.isPresent?(root) ?? true else { return nil }
            return JSONMember(field.name, field.json(root))
        }
    }

    /// These fields for a value that has such a part; they are only shown, and don't change the part.
    package func shown<Whole>(_ part: @escaping @Sendable (Whole) -> Root) -> Fields<Whole> {
        Fields<Whole>(
            used(.shown).map { field in
                Field<Whole>(
                    shown: field.name, field.shown, field.sentenceOfAnswer, where: field.isPresent(in: part),
                    json: { field.json(part($0)) })
            })
    }

    /// These fields for a value that has such a part and whose initializer reads the document of both.
    package func made<Whole>(_ part: @escaping @Sendable (Whole) -> Root) -> Fields<Whole> {
        Fields<Whole>(
            used(.made).map { field in
                Field<Whole>(
                    field.member, uses: .made, where: field.isPresent(in: part), json: { field.json(part($0)) },
                    set: { _, _ in })
            })
    }

    /// The members of the document that makes an equal value.
    package func remakingMembers(of root: Root) -> [JSONMember] { members(of: root, in: .made) }

    /// Sets what a reader of ``making`` has; what is absent or `null` stays as it is in `root`.
    package func read(_ reader: ObjectReader, into root: inout Root) throws(InputError) {
        for field in used(.made) where reader[field.name] != nil { try field.set(&root, reader) }
    }

    /// Sets what a reader of ``changing`` has.
    func change(_ root: inout Root, by reader: ObjectReader) throws(InputError) {
        for field in used(.changed) where reader.has(field.name) { try field.set(&root, reader) }
    }
}

/// A value whose members a list of fields describes; a new one has all defaults.
package protocol Described: Sendable, Equatable {
    static var fields: Fields<Self> { get }
    init()
}

/// A change of a described value; absent members stay as they are.
package struct Patch<Root: Described>: Sendable, Equatable {
    // Checked, of ``Fields/changing``; `null` restores the default.
    let members: [JSONMember]

    /// A change of nothing.
    package init() { members = [] }

    /// A change by members that are known to be valid.
    init(checked members: [JSONMember]) { self.members = members }

    package static var schema: Schema { Root.fields.changing }

    package init(json: JSONValue, at place: String = "") throws(InputError) {
        try self.init(try ObjectReader(json, at: place, Self.schema))
    }

    /// Takes the members of a document that has others beside them.
    init(_ reader: ObjectReader) throws(InputError) {
        members = reader.members(among: Self.schema).filter { member in
            member.value != .null || Root.fields[member.name]?.uses.isSuperset(of: .cleared) == true
        }
        var trial = Root()
        do throws(InputError) {
            try Root.fields.change(&trial, by: ObjectReader(checked: members))
        } catch {
            throw error.within(reader.pointer)
        }
    }

    /// The document of a call that makes the same change.
    package var json: JSONValue { .object(members) }

    package var isEmpty: Bool { members.isEmpty }

    /// What a member becomes; `nil` if it stays as it is.
    package subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    package func apply(to root: inout Root) {
        do throws(InputError) {
            try Root.fields.change(&root, by: ObjectReader(checked: members))
        } catch {
            // Reading a member doesn't depend on what the value was before.
            preconditionFailure("members that were checked are refused: \(error)")
        }
    }
}
