import Foundation

/// A text whose bytes are searched by the C library, which an unoptimised build does a thousand times as fast as with
/// the characters of a `String`.
struct ByteText: Sendable {
    private let bytes: [UInt8]
    /// Where each line begins, and after the last one where a further one would.
    private let starts: [Int]

    init(_ text: String) { self.init(Array(text.utf8)) }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + Self.places(of: "\n", in: bytes).map { $0 + 1 } + [bytes.count + 1]
    }

    /// The lines, without their ends.
    var lines: [Substring] {
        bytes.withUnsafeBytes { bytes in
            starts.indices.dropLast().map { index in
                Substring(
                    decoding: UnsafeRawBufferPointer(rebasing: bytes[starts[index]..<starts[index + 1] - 1]),
                    as: UTF8.self)
            }
        }
    }

    var lineCount: Int { starts.count - 1 }

    func contains(_ text: String) -> Bool { !Self.places(of: text, in: bytes, countMax: 1).isEmpty }

    /// The numbers, from 1, of the lines that contain a text.
    func lines(containing text: String) -> [Int] {
        var numbers: [Int] = []
        for place in Self.places(of: text, in: bytes) {
            var number = numbers.last ?? 1
            while starts[number] <= place { number += 1 }
            if number != numbers.last { numbers.append(number) }
        }
        return numbers
    }

    /// Where a text begins in bytes.
    private static func places(of text: String, in bytes: [UInt8], countMax: Int = .max) -> [Int] {
        var places: [Int] = []
        (bytes + [0]).withUnsafeBytes { terminated in
            guard let start = terminated.assumingMemoryBound(to: CChar.self).baseAddress else { return }
            var from = 0
            while places.count < countMax, from < bytes.count {
                let rest = start + from
                if let found = strstr(rest, text) {
                    places.append(UnsafePointer(found) - start)
                    from = places[places.count - 1] + 1
                } else {
                    // Behind the next zero, which is the end or one of the bytes of a file that is no text.
                    from += strlen(rest) + 1
                }
            }
        }
        return places
    }
}
