package import APNsRules

/// The scenarios that are part of the program, each known by its name (`fixtures/scenarios` has them in YAML).
package enum ShippedScenarios {
    package static var names: [String] { texts.map(\.name) }
    package static var all: [Scenario] { texts.compactMap { named($0.name) } }

    package static func named(_ name: String) -> Scenario? {
        guard let document = document(name) else { return nil }
        do throws(InputError) {
            return try Scenario(json: document)
        } catch {
            preconditionFailure("the scenario \(name) cannot be read: \(error)")
        }
    }

    /// Reads a scenario; an object with a name but no steps means one of these, with the object's scope and seed if it
    /// has them.
    package static func scenario(json: JSONValue) throws(InputError) -> Scenario {
        guard let members = json.object, json["steps"] == nil, let name = json["name"]?.string,
            members.allSatisfy({ ["name", "scope", "seed"].contains($0.name) })
        else { return try Scenario(json: json) }
        guard var document = document(name) else {
            throw .unknown("shipped scenario", name, at: "/name", among: names)
        }
        for member in members where member.name != "name" && member.value != .null {
            document = document.setting(member.value, at: [member.name])
        }
        return try Scenario(json: document)
    }

    private static func document(_ name: String) -> JSONValue? {
        guard let text = texts.first(where: { $0.name == name })?.json else { return nil }
        do {
            return try JSONValue(parsing: text)
        } catch {
            preconditionFailure("the scenario \(name) is not JSON: \(error)")
        }
    }
}
