import APNsRules
import MynahClient

/// The results of a run as JUnit XML for CI systems: one suite with a test case for each expectation, and the
/// differences as the text of a failure.
struct JUnitReport {
    /// The suite's name: the file, or the command.
    let name: String
    let startedAt: Instant
    let duration: Duration
    let checked: [CheckedExpectation]

    var text: String {
        let errors = checked.count { if case .failure = $0.result { true } else { false } }
        let failures = checked.count { !$0.isMet } - errors
        let counts = """
            tests="\(checked.count)" failures="\(failures)" errors="\(errors)" skipped="0" \
            time="\(JUnitReport.seconds(duration))"
            """
        // UTC, without a zone, which the schema of most tools doesn't allow.
        let timestamp = startedAt.rfc3339.prefix(19)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="mynah expect" \(counts)>
              <testsuite name="\(XMLText.attribute(name))" \(counts) timestamp="\(timestamp)">
            \(checked.map(testCase).joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private func testCase(_ one: CheckedExpectation) -> String {
        var attributes = """
            name="\(XMLText.attribute(one.expectation.name))" classname="\(XMLText.attribute(name))" \
            time="\(JUnitReport.seconds(one.duration))"
            """
        if let file = one.expectation.file { attributes += " file=\"\(XMLText.attribute(file))\"" }
        if let line = one.expectation.line { attributes += " line=\"\(line)\"" }
        guard !one.isMet else { return "    <testcase \(attributes)/>" }
        let report = ExpectationReport(one, isNamed: false)
        var (element, type) = ("failure", "unmet")
        if case .failure = one.result { (element, type) = ("error", "error") }
        return """
                <testcase \(attributes)>
                  <\(element) message="\(XMLText.attribute(report.verdict))" type="\(type)">\
            \(XMLText.text(report.plainText))</\(element)>
                </testcase>
            """
    }

    /// Seconds with three decimals.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        let whole = Int64(milliseconds.rounded())
        let fraction = String(1000 + whole % 1000).dropFirst()
        return "\(whole / 1000).\(fraction)"
    }
}

/// Text within XML 1.0.
enum XMLText {
    /// Text between tags.
    static func text(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Text between double quotes.
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    // Characters that XML 1.0 forbids, also as references, become U+FFFD (XML 1.0 §2.2).
    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where isAttribute: result += "&quot;"
            case "\t", "\n", "\r":
                if isAttribute || scalar == "\r" {
                    result += "&#\(scalar.value);"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return result
    }
}
