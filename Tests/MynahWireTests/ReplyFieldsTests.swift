import APNsRules
import MynahWire
import Testing

@Suite("Fields of replies")
struct ReplyFieldsTests {
    @Test("the first id is indexed, so that later ones have an index for their name, and no later one is")
    func ids() throws {
        let ids = (1...4).map { NotificationID(generated: UInt128($0)) }
        let replies = ids.map { PushResponse.reply(Reply(accepted: $0, uniqueID: $0)) }
        let client = try FrameClient.greeted(answering: replies)
        var blocks: [[UInt8]] = []
        for stream in [1, 3, 5, 7] as [UInt32] {
            let frame = try #require(try client.send(FrameClient.push(stream)).first { $0.kind == .headers })
            blocks.append(frame.payload)
            let id = ids[blocks.count - 1].text
            #expect(client.fields(frame) == [":status: 200", "apns-id: \(id)", "apns-unique-id: \(id)"])
        }
        // A literal with a new name that is indexed (RFC 7541 §6.2.1); then one that is never indexed, with an index for
        // its name (§6.2.3): of the newest entry, 62, or the one before it.
        #expect(blocks[0][1] == 0x40)
        for block in blocks.dropFirst() {
            #expect(block[1...2] == [0x1F, 63 - 15])
            #expect(block.count < blocks[0].count)
        }
    }
}
