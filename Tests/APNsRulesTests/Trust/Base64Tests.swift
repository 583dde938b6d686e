import APNsRules
import Testing

@Suite("Base64")
struct Base64Tests {
    // RFC 4648 §10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("the vectors of RFC 4648 encode and decode, padded or not", arguments: vectors.indices)
    func knownVectors(index: Int) throws {
        let (text, encoded) = Base64Tests.vectors[index]
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.encode(Array(text.utf8), url: true) == unpadded)
        for form in [encoded, unpadded] {
            #expect(try #require(Base64.decode(Array(form.utf8))).bytes == Array(text.utf8))
        }
    }

    @Test("bytes of every value and every length modulo 3 survive a round trip", arguments: [true, false])
    func roundTrip(url: Bool) throws {
        for count in 0..<260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
            let decoded = try #require(Base64.decode(Array(Base64.encode(bytes, url: url).utf8)))
            #expect(decoded.bytes == bytes)
            #expect(!url || !decoded.isStandard)
        }
    }

    @Test("padding, + and / mark standard base64")
    func standard() throws {
        for (text, isStandard) in [("Zg", false), ("Zg==", true), ("-_-_", false), ("+_-_", true), ("-/-_", true)] {
            #expect(try #require(Base64.decode(Array(text.utf8))).isStandard == isStandard, "\(text)")
        }
    }

    @Test(
        "foreign characters, impossible lengths and misplaced padding are refused",
        arguments: ["A", "AAAAA", "Zg=", "Zg===", "Z===", "Zg==Zg==", "=", "====", "Zm 9v", "Zm9v\n", "Zm9v.", "Zm9ä"])
    func refused(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }
}
