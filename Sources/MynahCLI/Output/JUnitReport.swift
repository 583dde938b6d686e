import APNsRules
import MynahClient

/// The results of a run as JUnit XML, in the form that CI systems read: one suite, a test case for each expectation,
/// with the differences as the text of its failure.
struct JUnitReport {
    /// The suite's name: the file, or the command.
    let name: String
    /// When the run began.
    let startedAt: Instant
    /// How long all of it took.
    let duration: Duration
    /// What came of it.
    let checked: [CheckedExpectation]

    /// The document.
    var text: String {
        let errors = checked.count { if case .failure = $0.result { true } else { false } }
        let failures = checked.count { !$0.isMet } - errors
        let counts = """
            tests="\(checked.count)" failures="\(failures)" errors="\(errors)" skipped="0" \
            time="\(JUnitReport.seconds(duration))"
            """
        // Without a zone, which the schema that most tools go by does not know; it is UTC.
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

    /// Seconds with three digits behind the point.
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

    // What XML 1.0 cannot say at all, not even as a reference, becomes U+FFFD (XML 1.0 §2.2).
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
                let isSayable = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(isSayable ? scalar : "\u{FFFD}")
            }
        }
        return result
    }
}
