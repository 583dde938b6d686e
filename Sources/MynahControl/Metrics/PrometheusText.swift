/// A document in Prometheus' text format, version 0.0.4.
struct PrometheusText: Sendable {
    enum Kind: String, Sendable { case counter, gauge, histogram }

    typealias Label = (name: String, value: String)
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    private(set) var text = ""

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(PrometheusText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: [Label] = [], _ value: String) {
        text += name
        if !labels.isEmpty {
            let written = labels.map { "\($0.name)=\"\(PrometheusText.escaped($0.value, quotes: true))\"" }
            text += "{\(written.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    mutating func metric(_ name: String, _ help: String, _ value: some LosslessStringConvertible) {
        metric(name, help, samples: [([], value)])
    }

    /// Adds a metric with a sample for each set of labels: a counter if the name ends in `_total`, otherwise a gauge.
    mutating func metric(
        _ name: String, _ help: String, samples: [(labels: [Label], value: some LosslessStringConvertible)]
    ) {
        begin(name, name.hasSuffix("_total") ? .counter : .gauge, help)
        for (labels, value) in samples { sample(name, labels, String(value)) }
    }

    /// Adds a histogram; `counts` has one more element than `bounds`, for what is above all bounds.
    mutating func histogram(_ name: String, _ help: String, bounds: [Double], counts: [UInt64], sum: Double) {
        begin(name, .histogram, help)
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            sample("\(name)_bucket", [("le", index < bounds.count ? String(bounds[index]) : "+Inf")], String(total))
        }
        sample("\(name)_sum", [], String(sum))
        sample("\(name)_count", [], String(total))
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}
