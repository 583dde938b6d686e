import APNsRules
import Testing

@testable import MynahTrust

/// Encryption of web pushes by the vectors of its standards, and the causes of messages that can't be decrypted.
@Suite("Decryption of web pushes")
struct WebPushDecryptionTests {
    private static func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.decode(text.utf8)?.bytes) }

    /// The receiver of RFC 8291 §5 and appendix A.
    private static func receiver() throws -> WebPushSubscription {
        WebPushSubscription(
            segment: "JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            privateNumber: try bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
            publicKey: try bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            authenticationSecret: try bytes("BTBZMqHH6r4Tts7J_aSIgg"))
    }

    @Test("the message of RFC 8291 section 5 is decrypted")
    func standardVector() throws {
        let body = try Self.bytes(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
                + "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
        let request = WebPushRequest(
            method: "POST", path: "/Q", fields: [HTTPField("content-encoding", "aes128gcm")], body: body)
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        let judged = WebPushAdmission.judge(request, in: context, verify: VapidProof.verify)
        let message = try #require(judged.message)
        #expect(message.recordSize == 4096)
        #expect(message.body == body)
        let text = try Self.receiver().decrypt(message)
        #expect(String(decoding: text, as: UTF8.self) == "When I grow up, I want to be a watermelon")
    }

    /// The header of RFC 8188 §2.1 and what follows it.
    private static func parts(_ body: [UInt8]) -> (salt: [UInt8], recordSize: Int, keyID: [UInt8], rest: [UInt8]) {
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let end = 21 + Int(body[20])
        return (Array(body[..<16]), size, Array(body[21..<end]), Array(body[end...]))
    }

    private static func judged(_ body: [UInt8]) -> WebPushJudgement {
        let request = WebPushRequest(
            method: "POST", path: "/Q", fields: [HTTPField("content-encoding", "aes128gcm")], body: body)
        let context = WebPushContext(now: Instant(seconds: 0), origin: .apple, endpoint: .unasked)
        return WebPushAdmission.judge(request, in: context, verify: VapidProof.verify)
    }

    @Test("the message of RFC 8188 section 3.1 is decrypted, and refused for its empty key ID")
    func encodingVector() throws {
        let body = try Self.bytes("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
        let parts = Self.parts(body)
        #expect(parts.recordSize == 4096 && parts.keyID.isEmpty)
        let keys = try MessageKeys(material: try Self.bytes("yqdlZ-tYemfogSmv7Ws5PQ"), salt: parts.salt)
        #expect(try keys.open(parts.rest) == Array("I am the walrus".utf8) + [2])
        let refusals = Self.judged(body).findings.refusals.filter { $0.reason == .badWebPushRequest }
        #expect(refusals.count == 1 && refusals[0].cause.contains("a key of 65 bytes"))
    }

    @Test("the first record of RFC 8188 section 3.2 is decrypted, and the message refused for its short key ID")
    func encodingVectorOfTwoRecords() throws {
        let body = try Self.bytes(
            "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA")
        let parts = Self.parts(body)
        #expect(parts.recordSize == 25 && parts.keyID == Array("a1".utf8) && parts.rest.count == 50)
        let keys = try MessageKeys(material: try Self.bytes("BO3ZVPxUlnLORbVGMpbT1Q"), salt: parts.salt)
        // Its delimiter is that of a record which is not the last, with a byte of padding behind it.
        #expect(try keys.open(Array(parts.rest.prefix(25))) == Array("I am th".utf8) + [1, 0])
        #expect(try keys.open(parts.rest) == nil)
        #expect(Self.judged(body).findings.refusals.contains { $0.reason == .badWebPushRequest })
    }

    @Test("encryption with the keys of RFC 8291 section 5 gives its message")
    func standardVectorEncrypts() throws {
        let receiver = try Self.receiver()
        let point = try Self.bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        let number = try Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        let sender = try PKey.pkcs8(P256PrivateKey.document(number: number, point: point))
        let message = try EncryptedMessage(
            encrypting: Array("When I grow up, I want to be a watermelon".utf8), publicKey: receiver.publicKey,
            authenticationSecret: receiver.authenticationSecret, encoding: .aes128gcm, sender: sender,
            salt: try Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            message.record
                == (try Self.bytes("8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ")))
    }

    @Test("the message of the draft's section 5 is decrypted")
    func draftVector() throws {
        // draft-ietf-webpush-encryption-04 §5.
        let receiver = WebPushSubscription(
            segment: "Q", privateNumber: try Self.bytes("9FWl15_QUQAWDaD3k3l50ZBZQJ4au27F1V4F0uLSD_M"),
            publicKey: try Self.bytes(
                "BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU"),
            authenticationSecret: try Self.bytes("R29vIGdvbyBnJyBqb29iIQ"))
        let message = EncryptedMessage(
            encoding: .aesgcm, salt: try Self.bytes("lngarbyKfMoi9Z75xYXmkg"),
            senderKey: try Self.bytes(
                "BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU"),
            record: try Self.bytes("6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA"))
        let text = try receiver.decrypt(message)
        #expect(String(decoding: text, as: UTF8.self) == "I am the walrus")
    }

    @Test("what is encrypted for a subscription is decrypted by it", arguments: WebPushEncoding.allCases)
    func roundTrip(encoding: WebPushEncoding) throws {
        let subscription = try WebPushSubscription.random()
        for text in ["", "hello", String(repeating: "x", count: 3993)] {
            let message = try EncryptedMessage(
                encrypting: Array(text.utf8), publicKey: subscription.publicKey,
                authenticationSecret: subscription.authenticationSecret, encoding: encoding)
            #expect(try subscription.decrypt(message) == Array(text.utf8))
            #expect(message.body.count <= WebPushLimits.bodyBytesMax)
        }
    }

    @Test("a message that can't be decrypted has its cause")
    func causes() throws {
        let subscription = try WebPushSubscription.random()
        let other = try WebPushSubscription.random()
        let encoded = Array(Base64.encode(subscription.authenticationSecret, url: true).utf8)
        let cases: [(key: [UInt8], secret: [UInt8], problem: String)] = [
            (other.publicKey, other.authenticationSecret, "for the other"),
            (other.publicKey, subscription.authenticationSecret, "with the p256dh of the other"),
            (subscription.publicKey, other.authenticationSecret, "with the auth of the other"),
            (subscription.publicKey, encoded, "the text of auth"),
            (subscription.publicKey, Array(repeating: 7, count: 16), "no known keys decrypt it"),
        ]
        for (key, secret, problem) in cases {
            let message = try EncryptedMessage(
                encrypting: Array("hello".utf8), publicKey: key, authenticationSecret: secret)
            let error = #expect(throws: TrustError.self) {
                try subscription.decrypt(message, others: [("this", subscription), ("the other", other)])
            }
            #expect(error?.problem.contains(problem) == true, "\(problem)")
        }
    }

    @Test("bad padding, several records, a short record and a bad key of the sender are told apart")
    func formCauses() throws {
        let subscription = try WebPushSubscription.random()
        let sender = try PKey.generate()
        let salt = try randomBytes(16)
        let keys = try MessageKeys(
            agreed: sender.agree(with: PKey.point(subscription.publicKey)), receiver: subscription.publicKey,
            sender: sender.point(), authenticationSecret: subscription.authenticationSecret, salt: salt,
            encoding: .aes128gcm)
        let point = try sender.point()
        func message(_ record: [UInt8], recordSize: Int = 4096, senderKey: [UInt8]? = nil) -> EncryptedMessage {
            EncryptedMessage(
                encoding: .aes128gcm, salt: salt, senderKey: senderKey ?? point, recordSize: recordSize,
                record: record)
        }
        let padded = try subscription.decrypt(message(keys.seal(Array("hello".utf8) + [2, 0, 0])))
        #expect(padded == Array("hello".utf8))
        func problem(_ message: EncryptedMessage) -> TrustError? {
            #expect(throws: TrustError.self) { try subscription.decrypt(message) }
        }
        let notLast = problem(message(try keys.seal(Array("hello".utf8) + [1])))
        #expect(notLast?.problem.contains("is 1: expected 2") == true)
        let none = problem(message(try keys.seal([0, 0, 0])))
        #expect(none?.problem.contains("no delimiter") == true)
        let record = try keys.seal(Array("hello".utf8) + [1])
        let several = problem(message(record + [1, 2, 3], recordSize: record.count))
        #expect(several?.problem.contains("more than one record") == true)
        #expect(problem(message(Array(repeating: 0, count: 16)))?.problem.contains("has 16 bytes: expected 17") == true)
        let offCurve = [0x04] + Array(repeating: 1, count: 64) as [UInt8]
        #expect(problem(message(record, senderKey: offCurve))?.problem.contains("no point on P-256") == true)
        let changed = record.dropLast() + [record[record.count - 1] ^ 1]
        #expect(problem(message(Array(changed)))?.code == .unknownKeys)
    }

    @Test("the record size doesn't matter to a browser as long as there is one record")
    func recordSizes() throws {
        let subscription = try WebPushSubscription.random()
        let made = try EncryptedMessage(
            encrypting: Array("hello".utf8), publicKey: subscription.publicKey,
            authenticationSecret: subscription.authenticationSecret)
        for size in [18, made.record.count, 4096, Int(UInt32.max)] {
            let message = EncryptedMessage(
                encoding: .aes128gcm, salt: made.salt, senderKey: made.senderKey, recordSize: size, record: made.record)
            let read = try #require(Self.judged(message.body).message, "\(size)")
            #expect(try read.recordSize == size && subscription.decrypt(read) == Array("hello".utf8))
        }
        let tooSmall = EncryptedMessage(
            encoding: .aes128gcm, salt: made.salt, senderKey: made.senderKey, recordSize: 17, record: made.record)
        #expect(Self.judged(tooSmall.body).findings.refusals.contains { $0.cause.contains("record size is 17") })
    }

    @Test("a subscription looks like a browser's")
    func subscriptionLooksLikeABrowsers() throws {
        let subscription = try WebPushSubscription.random()
        let other = try WebPushSubscription.random()
        #expect(subscription.segment.count == WebPushLimits.segmentCharacters)
        #expect(subscription.segment.hasPrefix("Q"))
        #expect(subscription != other)
        #expect(subscription.publicKey.count == 65)
        #expect(subscription.authenticationSecret.count == 16)
        #expect(!"\(subscription)".contains(Base64.encode(subscription.privateNumber, url: true)))
    }
}

extension WebPushSubscription {
    /// A subscription with keys of its own.
    static func random() throws -> WebPushSubscription {
        func draw(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
        // Above 0, and below the order of the curve.
        let number = [1] + draw(31)
        return WebPushSubscription(
            segment: segment(random: draw(segmentBytes)), privateNumber: number,
            publicKey: try WebPushCurve.point(ofNumber: number), authenticationSecret: draw(16))
    }
}
