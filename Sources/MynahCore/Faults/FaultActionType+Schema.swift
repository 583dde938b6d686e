internal import APNsRules

extension FaultActionType {
    /// An action of any type.
    package static let document = RequestDocument(
        "FaultAction", schemaOfAll, example: ["type": "respond", "status": 503, "reason": "ServiceUnavailable"])

    /// The members of all types in one object, for the OpenAPI document.
    ///
    /// A summary begins with the types that have the member.
    private static var schemaOfAll: Schema {
        var members: [Member] = []
        for type in allCases {
            for member in type.schema.members {
                let isCommon = ["delay", "clock", "deliver"].contains(member.name)
                let own = member.summary.isEmpty ? "." : ": \(member.summary)"
                let summary = isCommon ? member.summary : type.rawValue + own
                guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                    members.append(Member(member.name, member.form, summary: summary, default: member.standard))
                    continue
                }
                guard !isCommon else { continue }
                let known = members[index]
                members[index] = Member(
                    known.name, known.form.united(with: member.form), summary: "\(known.summary) \(summary)")
            }
        }
        let type = Member(
            "type", .choice(FaultActionType.self), summary: "Decides which of the other members are allowed.",
            isRequired: true)
        return Schema([type] + members)
    }
}

extension Form {
    /// A form for the values of both.
    fileprivate func united(with other: Form) -> Form {
        switch (self, other) {
        case (.choice(let names), .choice(let more)): .choice(names + more.filter { !names.contains($0) })
        case (.duration, .bool), (.bool, .duration): .any()
        default: self
        }
    }
}
