import APNsRules
import MynahWire
import NIOCore
import NIOEmbedded
import Testing

@Suite("Faults of a whole connection")
struct ConnectionFaultTests {
    private static func settings(_ change: (inout WireSettings) -> Void) -> WireFault {
        var settings = WireSettings()
        change(&settings)
        return .settings(settings)
    }

    // MARK: SETTINGS

    @Test("new SETTINGS precede the reply and carry only the given values")
    func settingsFrame() throws {
        let all = Self.settings {
            $0.headerTableSize = 0
            $0.maxConcurrentStreams = 7
            $0.initialWindowSize = 100
            $0.maxFrameSize = 20_000
        }
        let client = try FrameClient.greeted(answering: [.act(all, ScriptedResponder.accepted())])
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.settings, .headers])
        #expect(frames[0].flags == 0)
        #expect(frames[0].settings == [1: 0, 3: 7, 4: 100, 5: 20_000])
        #expect(client.traffic()?.streamLimit == 7)
        let one = try client.tell(.act(Self.settings { $0.initialWindowSize = 0 }))
        #expect(one.map(\.settings) == [[4: 0]])
    }

    @Test("a rule's stream limit takes precedence over the reply's")
    func limitStands() throws {
        let act = Self.settings { $0.maxConcurrentStreams = 1 }
        let raising = ScriptedResponder.accepted(effect: WireEffect(streamLimit: 1000))
        let client = try FrameClient.greeted(answering: [.act(act, raising), .reply(raising)])
        #expect(try client.send(FrameClient.push(1)).first?.settings == [3: 1])
        #expect(try client.send(FrameClient.push(3)).first?.settings == [3: 1000])
    }

    @Test("a stream limit binds once it is acknowledged", arguments: [UInt32(0), 1])
    func streamLimit(limit: UInt32) throws {
        let client = try FrameClient.greeted(answering: [])
        _ = try client.tell(.act(Self.settings { $0.maxConcurrentStreams = limit }))
        // Sent before the client could know the limit, so it is answered.
        let early = try client.send(FrameClient.open(1), FrameClient.open(3))
        #expect(early.isEmpty)
        let ends = [UInt32(1), 3].flatMap { Frame(kind: .data, flags: Frame.endStream, stream: $0).bytes }
        #expect(try client.send(ends).map(\.kind) == [.headers, .headers])
        let late = try client.send(Frame.settingsAck.bytes, FrameClient.open(5), FrameClient.open(7))
        let refused = [UInt32(5), 7].dropFirst(Int(limit)).map { Frame.rstStream($0, .refusedStream) }
        #expect(late == refused)
        #expect(client.channel.isActive)
    }

    @Test("a window of 0 accepts bytes before its acknowledgement and none after it")
    func window() throws {
        let client = try FrameClient.greeted(answering: [])
        try client.send(FrameClient.open(1))
        _ = try client.tell(.act(Self.settings { $0.initialWindowSize = 0 }))
        let body = [UInt8](repeating: 0x20, count: 3_000)
        let data = Frame(kind: .data, stream: 1, payload: body).bytes
        #expect(try client.send(data, FrameClient.push(3, body: body)).map(\.stream) == [3])
        // The window of stream 1 is now negative, and updates bring it to 0 at most.
        let back = try client.send(Frame.settingsAck.bytes)
        #expect(back.allSatisfy { $0.kind == .windowUpdate && $0.stream == 1 && $0.firstNumber <= 3_000 })
        #expect(client.channel.isActive && client.responder.problems.isEmpty)
        let beyond = try client.send(FrameClient.push(5, body: body))
        #expect(beyond == [.rstStream(5, HTTP2ErrorCode(rawValue: 3))])
        #expect(try client.send(Frame(kind: .data, flags: Frame.endStream, stream: 1).bytes).map(\.kind) == [.headers])
    }

    @Test("a header table of 0 requires a size update once it is acknowledged", arguments: [true, false])
    func headerTable(updates: Bool) throws {
        let client = try FrameClient.greeted(answering: [])
        _ = try client.tell(.act(Self.settings { $0.headerTableSize = 0 }))
        #expect(try client.send(FrameClient.push(1)).map(\.kind) == [.headers])
        let frames = try client.send(Frame.settingsAck.bytes, FrameClient.push(3, prefix: updates ? [0x20] : []))
        #expect(frames.map(\.kind) == (updates ? [.headers] : [.goAway]))
        if !updates { #expect(frames.first?.goAwayCode == 9) }
    }

    @Test("larger frames are accepted once the setting is acknowledged")
    func frameSize() throws {
        let client = try FrameClient.greeted(answering: [.withheld])
        _ = try client.tell(.act(Self.settings { $0.maxFrameSize = 20_000 }))
        try client.send(Frame.settingsAck.bytes, FrameClient.open(1))
        let large = Frame(kind: .data, stream: 1, payload: [UInt8](repeating: 0x20, count: 20_000)).bytes
        #expect(try client.send(large).allSatisfy { $0.kind != .goAway })
        let larger = Frame(kind: .data, stream: 1, payload: [UInt8](repeating: 0x20, count: 20_001)).bytes
        #expect(try client.send(larger).contains { $0.kind == .goAway && $0.goAwayCode == 6 })
    }

    // MARK: Silence

    @Test("WINDOW_UPDATE is withheld on the connection and on every stream", arguments: [true, false])
    func withholdWindow(isWithheld: Bool) throws {
        let act = PushResponse.act(.withholdWindow, ScriptedResponder.accepted())
        let client = try FrameClient.greeted(answering: isWithheld ? [act] : [])
        #expect(try client.send(FrameClient.push(1)).map(\.kind) == [.headers])
        try client.send(FrameClient.open(3))
        let data = Frame(kind: .data, stream: 3, payload: [UInt8](repeating: 0x20, count: 16_000)).bytes
        var updated: Set<UInt32> = []
        for _ in 0..<4 {
            for frame in try client.send(data) where frame.kind == .windowUpdate { updated.insert(frame.stream) }
        }
        #expect(updated == (isWithheld ? [] : [0, 3]))
        #expect(client.channel.isActive && client.responder.problems.isEmpty)
    }

    @Test("PING is no longer answered, but requests are")
    func ignorePing() throws {
        let client = try FrameClient.greeted(answering: [.act(.ignorePing, ScriptedResponder.accepted())])
        let answer = try client.send(Frame.ping("are you?").bytes)
        #expect(answer == [Frame(kind: .ping, flags: Frame.ack, payload: Array("are you?".utf8))])
        #expect(try client.send(FrameClient.push(1)).map(\.kind) == [.headers])
        #expect(try client.send(Frame.ping("are you?").bytes, FrameClient.push(3)).map(\.kind) == [.headers])
        #expect(client.traffic()?.pings == 2)
    }

    // MARK: Broken frames

    @Test("a malformed frame comes last, after all previous answers")
    func malformedFrame() throws {
        let refused = PushResponse.reply(ScriptedResponder.refused)
        let client = try FrameClient.greeted(answering: [refused, .act(.malformedFrame, nil), refused])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3), FrameClient.push(5))
        #expect(frames.map(\.kind) == [.headers, .data, .settings])
        #expect(frames.last?.payload.count == 5)
        #expect(client.responder.requests == [1, 3])
        #expect(client.responder.endCount == 1)
        client.letLinger()
        #expect(!client.channel.isActive)
        #expect(try client.received().isEmpty && client.rest.isEmpty)
    }

    @Test("an oversized frame is larger than the peer allows", arguments: [nil, UInt32(100_000)])
    func oversizedFrame(allowed: UInt32?) throws {
        let settings = allowed.map { [0, 5] + Frame.bigEndian($0) } ?? []
        let client = try FrameClient.greeted(answering: [.act(.oversizedFrame, nil)], settings: settings)
        let frames = try client.send(FrameClient.push(1))
        #expect(frames.map(\.kind) == [.settings])
        let size = frames.first?.payload.count ?? 0
        #expect(size > Int(allowed ?? 16_384) && size <= Int(allowed ?? 16_384) + 6)
        #expect(size % 6 == 0)
        #expect(client.responder.endCount == 1)
    }

    // MARK: The connection's opening

    @Test("a fault before the opening changes the first SETTINGS")
    func openingSettings() throws {
        let act = Self.settings {
            $0.maxConcurrentStreams = 0
            $0.initialWindowSize = 0
        }
        let client = try FrameClient(openingAct: act)
        let frames = try client.received()
        #expect(frames.map(\.settings) == [[1: 4096, 3: 0, 4: 0, 5: 16_384, 6: 8000]])
    }

    @Test("withheld SETTINGS are never sent: not first, not as ACK, not for a raised limit")
    func withheldSettings() throws {
        let responder = ScriptedResponder()
        responder.answers = [.reply(ScriptedResponder.accepted(effect: WireEffect(streamLimit: 1000)))]
        let client = try FrameClient(responder, openingAct: Self.settings { $0.isWithheld = true })
        #expect(try client.received().isEmpty)
        let greeting = FrameClient.preface + Frame(kind: .settings).bytes
        #expect(try client.send(greeting).isEmpty)
        #expect(try client.send(FrameClient.push(1)).map(\.kind) == [.headers])
        #expect(try client.send(Frame.ping("are you?").bytes).map(\.kind) == [.ping])
    }

    @Test("GOAWAY at the opening follows the first SETTINGS and ends the connection")
    func openingGoAway() throws {
        var goAway = WireGoAway()
        goAway.debugData = .reason("Shutdown")
        let responder = ScriptedResponder()
        let client = try FrameClient(responder, openingAct: .goAway(goAway))
        let frames = try client.received()
        #expect(frames.map(\.kind) == [.settings, .goAway])
        #expect(frames.last?.firstNumber == 0)
        #expect(responder.endCount == 1)
    }

    @Test(
        "a broken frame at the opening follows SETTINGS", arguments: [WireFault.malformedFrame, .oversizedFrame])
    func openingBroken(act: WireFault) throws {
        let responder = ScriptedResponder()
        let client = try FrameClient(responder, openingAct: act)
        let frames = try client.received()
        #expect(frames.map(\.kind) == [.settings, .settings])
        #expect(frames.last.map { $0.payload.count == 5 || $0.payload.count > 16_384 } == true)
        #expect(responder.endCount == 1)
    }

    @Test("frames withheld from the opening on stay withheld")
    func openingSilence() throws {
        let client = try FrameClient(openingAct: .ignorePing)
        try client.send(FrameClient.preface, Frame(kind: .settings).bytes)
        #expect(try client.send(Frame.ping("are you?").bytes).isEmpty)
    }

    // MARK: Below HTTP/2

    @Test("the connection closes after the reply")
    func close() throws {
        let act = WireFault.close(.fin, afterBytes: nil)
        let client = try FrameClient.greeted(answering: [.act(act, ScriptedResponder.refused)])
        let frames = try client.send(FrameClient.push(1), FrameClient.push(3))
        #expect(frames.map(\.kind) == [.headers, .data])
        #expect(client.responder.requests == [1])
        #expect(client.responder.endCount == 1)
    }
}
