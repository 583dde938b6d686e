package import APNsRules

/// A place in a JSON document (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The names and indices on the way, unescaped; empty for the whole document.
    package let steps: [String]
    package init(steps: [String]) { self.steps = steps }

    /// Reads a pointer: steps that each begin with `/`, with `~0` for `~` and `~1` for `/`, or empty.
    package init(_ text: some StringProtocol, at field: String) throws(InputError) {
        guard text.isEmpty || text.utf8.first == 0x2F else {
            throw InputError(
                at: field,
                "\"\(text)\" is not a JSON pointer: expected one that begins with /, as in "
                    + JSONPointer.meant(by: text))
        }
        let parts = String(text).unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        steps = parts.compactMap(JSONPointer.unescaped)
        guard steps.count == parts.count else {
            throw InputError(
                at: field, "\"\(text)\" is not a JSON pointer: expected ~ written as ~0, and / in a name as ~1")
        }
    }

    /// The pointer that a path in another form, such as `$.aps.alert`, is meant as.
    static func meant(by path: some StringProtocol) -> String {
        "/" + String(path.drop { "/$.".contains($0) }).replacing(".", with: "/")
    }

    private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
        let pieces = part.split(separator: "~", omittingEmptySubsequences: false)
        var step = String(pieces[0])
        for piece in pieces.dropFirst() {
            switch piece.first {
            case "0": step += "~"
            case "1": step += "/"
            default: return nil
            }
            step += String(piece.dropFirst())
        }
        return step
    }

    package func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for step in steps {
            switch value {
            case .object:
                guard let member = value[step] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.index(step), index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    // RFC 6901 §4: digits without a leading zero.
    static func index(_ step: String) -> Int? {
        guard step == "0" || step.utf8.first.map({ (0x31...0x39).contains($0) }) == true else { return nil }
        return Int(step)
    }

    package var description: String { steps.reduce("", JSONPointer.below(_:_:)) }

    /// The pointer to a member or element of the value at another pointer.
    package static func below(_ pointer: String, _ step: String) -> String {
        var text = pointer + "/"
        for scalar in step.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
