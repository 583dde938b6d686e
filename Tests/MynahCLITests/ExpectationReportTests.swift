import APNsRules
import MynahClient
import MynahCore
import Testing

@testable import MynahCLI

private func checked(
    _ name: String, _ answer: String, body: JSONValue = [:], file: String? = nil, line: Int? = nil
) throws -> CheckedExpectation {
    CheckedExpectation(
        expectation: NamedExpectation(name: name, body: body, file: file, line: line),
        result: .success(try JSONValue(parsing: answer)), duration: .milliseconds(1234))
}

private let unmet = #"""
    {"met":false,"matched":1,"items":[{"sequence":5}],"failedAt":null,"nearest":[{"sequence":7,"differences":[
    {"field":"/topic","expected":"a","actual":"b <&> \u0001"},
    {"field":"/payload/aps/badge","expected":3,"actual":null}],
    "push":{"receivedAt":"2026-11-21T09:30:00.123Z","status":200,"outcome":"delivered","topic":"b","device":"kim"}}],
    "hints":["still pending"]}
    """#

private let met = #"{"met":true,"matched":2,"items":[{"sequence":1},{"sequence":2}],"nearest":[],"hints":[]}"#

private func failed(_ name: String) -> CheckedExpectation {
    CheckedExpectation(
        expectation: NamedExpectation(name: name, body: [:]),
        result: .failure(ClientError(.unavailable, "nobody answers")), duration: .seconds(2))
}

@Suite("The text of an expectation's result")
struct ExpectationReportTests {
    @Test("an unmet expectation shows what was expected, the near misses, and hints")
    func unmetPlain() throws {
        let report = ExpectationReport(try checked("n", unmet), isNamed: false)
        #expect(
            report.text(hasColours: false) == #"""
                unmet: 1 push matched: 5; expected at least 1 within 5s
                near miss: push 7, 09:30:00.123, 200 delivered, b, kim (- expected, + actual)
                  - /topic "a"
                  + /topic "b <&> \u0001"
                  - /payload/aps/badge 3
                  + /payload/aps/badge null
                hint: still pending
                """#)
    }

    @Test("on a terminal expected values are red and actual values green")
    func colours() throws {
        let text = ExpectationReport(try checked("n", unmet), isNamed: true).text(hasColours: true)
        #expect(text.hasPrefix("\u{1B}[1;31munmet\u{1B}[0m: n: 1 push matched"))
        #expect(text.contains("\u{1B}[31m  - /topic \"a\"\u{1B}[0m\n\u{1B}[32m  + /topic"))
    }

    @Test("a met expectation lists the pushes that matched")
    func metPlain() throws {
        #expect(
            ExpectationReport(try checked("n", met), isNamed: false).text(hasColours: false)
                == "met: 2 pushes matched: 1, 2")
        #expect(
            ExpectationReport(try checked("n", met), isNamed: true).text(hasColours: true)
                == "\u{1B}[1;32mmet\u{1B}[0m: n: 2 pushes matched: 1, 2")
    }

    @Test("an unmet order names the step without a push")
    func step() throws {
        let answer = #"{"met":false,"matched":1,"items":[],"failedAt":1,"nearest":[],"hints":[]}"#
        let details = ExpectationReport(try checked("n", answer), isNamed: false).details()
        #expect(details.map(\.text).last == "step 1 of inOrder has no push")
    }

    @Test("a push's text can't control the terminal, and long values are cut only there")
    func hostile() throws {
        let long = String(repeating: "x", count: 1000)
        let answer = """
            {"met":false,"matched":0,"items":[],"failedAt":null,"hints":["a\u{9B}2J\u{202E}b"],"nearest":[
            {"sequence":1,"differences":[{"field":"/a","expected":"\(long)","actual":"\u{7F}"}]}]}
            """
        let report = ExpectationReport(try checked("n", answer), isNamed: false)
        let text = report.text(hasColours: false)
        #expect(text.contains("hint: a 2J b"))
        #expect(text.contains("+ /a \" \""))
        #expect(text.contains("xxx… (1002 characters)"))
        #expect(report.plainText.contains(long))
    }

    @Test("an error is reported as an error, not as unmet")
    func error() throws {
        #expect(ExpectationReport(failed("n"), isNamed: true).text(hasColours: false) == "error: n: nobody answers")
        #expect(CheckedExpectation.status(of: [try checked("a", unmet), failed("n")]) == .unavailable)
        #expect(CheckedExpectation.status(of: [try checked("a", unmet), try checked("b", met)]) == .unmet)
        #expect(CheckedExpectation.status(of: [try checked("b", met)]) == .success)
    }
}

@Suite("Reports for CI systems")
struct ContinuousIntegrationTests {
    @Test("JUnit has a case for each expectation, the differences as text, and only valid XML characters")
    func junit() throws {
        let report = JUnitReport(
            name: "e.yaml", startedAt: Instant(milliseconds: 0), duration: .milliseconds(2005),
            checked: [
                try checked("fine", met, file: "e.yaml", line: 3),
                try checked("a \"b\" <c>\n\u{1}", unmet), failed("gone"),
            ])
        #expect(
            report.text == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="mynah expect" tests="3" failures="1" errors="1" skipped="0" time="2.005">
                  <testsuite name="e.yaml" tests="3" failures="1" errors="1" skipped="0" time="2.005" timestamp="1970-01-01T00:00:00">
                    <testcase name="fine" classname="e.yaml" time="1.234" file="e.yaml" line="3"/>
                    <testcase name="a &quot;b&quot; &lt;c&gt;&#10;�" classname="e.yaml" time="1.234">
                      <failure message="unmet: 1 push matched: 5; expected at least 1 within 5s" type="unmet">unmet: 1 push matched: 5; expected at least 1 within 5s
                near miss: push 7, 09:30:00.123, 200 delivered, b, kim (- expected, + actual)
                - /topic "a"
                + /topic "b &lt;&amp;&gt; \u0001"
                - /payload/aps/badge 3
                + /payload/aps/badge null
                hint: still pending</failure>
                    </testcase>
                    <testcase name="gone" classname="e.yaml" time="2.000">
                      <error message="error: nobody answers" type="error">error: nobody answers</error>
                    </testcase>
                  </testsuite>
                </testsuites>

                """#)
    }

    @Test("GitHub gets a one-line annotation with the place of each unmet expectation")
    func annotations() throws {
        let report = GitHubReport(checked: [
            try checked("fine", met), try checked("100%: a,b\n", unmet, file: "d/e.yaml", line: 3),
        ])
        #expect(
            report.annotations == [
                #"::error title=mynah expect%3A 100%25%3A a%2Cb%0A,file=d/e.yaml,line=3::"#
                    + #"unmet: 1 push matched: 5; expected at least 1 within 5s%0A"#
                    + #"near miss: push 7, 09:30:00.123, 200 delivered, b, kim (- expected, + actual)%0A"#
                    + #"- /topic "a"%0A+ /topic "b <&> \u0001"%0A- /payload/aps/badge 3%0A+ /payload/aps/badge null%0A"#
                    + #"hint: still pending"#
            ])
    }

    @Test("GitHub's summary has a row for each expectation, and fences the differences safely")
    func summary() throws {
        let answer = #"{"met":false,"matched":0,"items":[],"nearest":[],"hints":["a ```` b"]}"#
        let summary = GitHubReport(checked: [try checked("fi|ne", met), try checked("bad", answer)]).summary
        #expect(summary.hasPrefix("### mynah expect: 1 of 2 met\n"))
        #expect(summary.contains("| ✅ | fi\\|ne | met: 2 pushes matched: 1, 2 |\n"))
        #expect(summary.contains("\n`````diff\nunmet: 0 pushes matched"))
        #expect(summary.contains("hint: a ```` b\n`````\n"))
    }

    @Test("annotations default to on if GITHUB_ACTIONS is set")
    func whether() {
        #expect(ExpectReportOptions.isGitHub(nil, ["GITHUB_ACTIONS": "true"]))
        #expect(!ExpectReportOptions.isGitHub(nil, [:]))
        #expect(!ExpectReportOptions.isGitHub(.off, ["GITHUB_ACTIONS": "true"]))
        #expect(ExpectReportOptions.isGitHub(.github, [:]))
    }
}
