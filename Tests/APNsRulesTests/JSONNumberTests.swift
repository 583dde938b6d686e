import APNsRules
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    private func number(_ text: String) throws -> JSONNumber {
        guard case .number(let number) = try JSONValue(parsing: text) else { throw NotANumber() }
        return number
    }

    private struct NotANumber: Error {}

    @Test(
        "spellings of the same number are equal and have the same hash",
        arguments: [
            ["0", "-0", "0.0", "0e7", "-0.00E-3"], ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"],
            ["-250", "-2.5e2", "-0.025e4", "-250.00"],
            ["9007199254740993", "9007199254740993.0", "9.007199254740993e15"],
            ["0.001", "1e-3", "0.1e-2"],
        ])
    func spellings(texts: [String]) throws {
        let numbers = try texts.map(number)
        for left in numbers {
            for right in numbers {
                #expect(left == right, "\(left.text) and \(right.text)")
                #expect(left.hashValue == right.hashValue, "\(left.text) and \(right.text)")
            }
        }
    }

    @Test("equality is transitive, even beyond the precision of a double")
    func transitive() throws {
        let texts = [
            "9007199254740992", "9007199254740993", "9007199254740992.0", "9007199254740993.0", "9007199254740993e0",
            "18446744073709551615", "18446744073709551616", "1.8446744073709551616e19", "0.1", "0.10",
            "0.1000000000000000055511151231257827", "1e400", "1e401", "10e400", "1e99999999999999999999", "-1e400", "0",
            "-0.0", "1e-99999999999999999999",
        ]
        let numbers = try texts.map(number)
        for first in numbers {
            for second in numbers where first == second {
                for third in numbers where second == third {
                    #expect(first == third, "\(first.text), \(second.text), \(third.text)")
                }
            }
        }
        #expect(try number("9007199254740992") != number("9007199254740993.0"))
        #expect(try number("1e401") == number("10e400"))
        #expect(try number("1e400") != number("-1e400"))
        #expect(Set(numbers).count == 12)
    }
}
