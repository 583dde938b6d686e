/// A document in Prometheus' text format, version 0.0.4.
struct PrometheusText: Sendable {
    enum Kind: String, Sendable { case counter, gauge, histogram }

    typealias Label = (name: String, value: String)
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    private(set) var text = ""

    mutating func begin(_ name: String, as kind: Kind, help: String) {
        text += "# HELP \(name) \(PrometheusText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: [Label] = [], value: String) {
        text += name
        if !labels.isEmpty {
            let written = labels.map { "\($0.name)=\"\(PrometheusText.escaped($0.value, quotes: true))\"" }
            text += "{\(written.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    mutating func metric(_ name: String, _ help: String, value: some LosslessStringConvertible) {
        metric(name, help, samples: [([], value)])
    }

    /// Adds a metric with a sample for each set of labels: a counter if the name ends in `_total`, otherwise a gauge.
    mutating func metric(
        _ name: String, _ help: String, samples: [(labels: [Label], value: some LosslessStringConvertible)]
    ) {
        begin(name, as: name.hasSuffix("_total") ? .counter : .gauge, help: help)
        for (labels, value) in samples { sample(name, labels, value: String(value)) }
    }

    /// Adds a histogram; `counts` has one more element than `bounds`, for values above all bounds.
    mutating func histogram(_ name: String, _ help: String, bounds: [Double], counts: [UInt64], sum: Double) {
        begin(name, as: .histogram, help: help)
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? String(bounds[index]) : "+Inf"
            sample("\(name)_bucket", [("le", bound)], value: String(total))
        }
        sample("\(name)_sum", [], value: String(sum))
        sample("\(name)_count", [], value: String(total))
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}
