import APNsRules
import Testing

@testable import MynahCore

@Suite("Pushes that are not alerts")
struct DeliveryKindTests {
    static let now = ScreenCase.begin

    @Test(
        "the kind follows from suffix, push type and payload, in this order",
        arguments: [
            (.alert, "com.example.app", "{}", .alert), (.background, "com.example.app", "{}", .background),
            (nil, "com.example.app.voip", "{}", .voip), (.alert, "com.example.app.voip", "{}", .voip),
            (.voip, "com.example.app", "{}", .voip), (nil, "com.example.app.complication", "{}", .complication),
            (nil, "com.example.app.pushkit.fileprovider", "{}", .fileprovider),
            (nil, "com.example.app.location-query", "{}", .location),
            (nil, "com.example.app.push-type.liveactivity", "{}", .liveactivity),
            (nil, "com.example.app.voip-ptt", "{}", .pushtotalk),
            (nil, "com.example.app.push-type.widgets", "{}", .widgets),
            (nil, "com.example.app.push-type.controls", "{}", .controls),
            (.mdm, "com.apple.mgmt.External", "{}", .mdm),
            (nil, "com.apple.mgmt.External", #"{"mdm": "magic"}"#, .mdm),
            (nil, "com.example.app", #"{"aps": {"content-available": 1}}"#, .background),
            (nil, "com.example.app", #"{"aps": {"content-available": 1, "alert": "hi"}}"#, .alert),
            (nil, "com.example.app", #"{"aps": {"alert": "hi"}, "mdm": "x"}"#, .alert),
            (.alert, "com.apple.mgmt.External", #"{"mdm": "magic"}"#, .mdm),
            (nil, "pass.com.example.card", "{}", .pass), (.alert, "pass.com.example.card", "{}", .pass),
            (.background, "pass.com.example.card", #"{"aps": {"alert": "hi"}}"#, .pass),
            (nil, "pass.com.example.voip", "{}", .pass), (nil, "pass.", "{}", .alert),
            (nil, "web.com.example", #"{"aps": {"alert": "hi"}}"#, .alert),
        ] as [(PushType?, String, String, PushKind)])
    func kind(pushType: PushType?, topic: String, payload: String, expected: PushKind) throws {
        let bytes = Array(topic.utf8)
        let kind = PushKind(sent: pushType, topic: bytes.span, payload: try JSONValue(parsing: payload))
        #expect(kind == expected)
    }

    @Test("to a topic without a suffix, every push type is the kind that was sent", arguments: PushType.allCases)
    func everyPushTypeIsAKind(sent: PushType) {
        let kind = PushKind(sent: sent, topic: Array("com.example.app".utf8).span, payload: nil)
        #expect(kind.rawValue == sent.rawValue)
    }

    @Test(
        "a woken app runs for as long as it takes, 30 seconds at most",
        arguments: [
            (0, 0, "finished", "newData"), (5, 4, "running", nil), (5, 5, "finished", "newData"),
            (30, 29, "running", nil), (30, 30, "finished", "newData"), (31, 29, "running", nil),
            (31, 30, "stopped", nil),
        ] as [(Int, Int, String, String?)])
    func wake(takes: Int, after: Int, state: String, result: String?) {
        let wake = Wake(sequence: 7, at: Self.now, fetch: BackgroundFetch(takes: .seconds(takes)))
        let later = Self.now.advanced(by: .seconds(after))
        let json = WakeView(wake, of: "com.example.app", at: later).json
        #expect(json.object?.map(\.name) == ["topic", "sequence", "at", "state", "result", "endedAt"])
        #expect(json["state"]?.string == state)
        #expect(json["result"]?.string == result)
        #expect((json["endedAt"] == .null) == (state == "running"))
        if state != "running" {
            #expect(json["endedAt"]?.string == Self.now.advanced(by: .seconds(min(takes, 30))).rfc3339)
        }
    }

    @Test("an app answers as it is set to")
    func wakeResult() {
        for result in WakeResult.allCases {
            let wake = Wake(sequence: 1, at: Self.now, fetch: BackgroundFetch(result: result))
            let end = wake.end(by: Self.now)
            #expect(end?.result == result)
            #expect(end?.at == Self.now)
        }
    }

    @Test("wakes are bounded, and counted")
    func wakesAreBounded() {
        var list = WakeList()
        for sequence in 1...UInt64(WakeList.wakesMax) + 2 {
            list.add(Wake(sequence: sequence, at: Self.now, fetch: BackgroundFetch()))
        }
        #expect(list.wakes.count == WakeList.wakesMax)
        #expect(list.wakes.first?.sequence == 3)
        #expect(list.evicted == 2)
    }

    @Test("an app that reports no call loses VoIP pushes after a few")
    func calls() {
        var calls = CallList()
        for _ in 0..<CallList.unreportedMax {
            guard case .arrivesWithRemark = calls.receive(reportsCalls: false) else {
                Issue.record("a push was lost too early")
                return
            }
        }
        #expect(calls.isCutOff)
        guard case .lost(let why) = calls.receive(reportsCalls: true) else {
            Issue.record("a push arrived that should have been lost")
            return
        }
        #expect(why.contains("3 VoIP pushes"))
        calls.resetUnreported()
        let forgiven = calls.receive(reportsCalls: true)
        #expect(forgiven == .arrives)
        #expect(calls.reported == 1)
    }

    @Test("a reported call resets the count of unreported ones")
    func reportedCall() {
        var calls = CallList()
        for _ in 0..<10 {
            for _ in 1..<CallList.unreportedMax { _ = calls.receive(reportsCalls: false) }
            let reported = calls.receive(reportsCalls: true)
            #expect(reported == .arrives)
        }
        #expect(!calls.isCutOff)
    }

    @Test("a watch takes 50 complication pushes a day")
    func complications() {
        var budget = ComplicationBudget()
        for count in 0..<ComplicationBudget.pushesPerDay {
            #expect(budget.left(at: Self.now) == ComplicationBudget.pushesPerDay - count)
            let arrival = budget.receive(at: Self.now.advanced(by: .seconds(count)))
            #expect(arrival == .arrives)
        }
        let almost = Self.now.advanced(by: ComplicationBudget.day - .milliseconds(1))
        #expect(budget.left(at: almost) == 0)
        guard case .lost = budget.receive(at: almost) else {
            Issue.record("the 51st push arrived")
            return
        }
        let nextDay = Self.now.advanced(by: ComplicationBudget.day)
        #expect(budget.left(at: nextDay) == ComplicationBudget.pushesPerDay)
        let arrival = budget.receive(at: nextDay)
        #expect(arrival == .arrives)
        #expect(budget.left(at: nextDay) == ComplicationBudget.pushesPerDay - 1)
    }

    @Test("a location push needs the user's consent")
    func location() throws {
        #expect(AppPresentation().locationArrival == .arrives)
        let app = try AppPresentation(json: ["permissions": ["location": false]])
        guard case .lost = app.locationArrival else {
            Issue.record("the push arrived without consent")
            return
        }
    }

    @Test("an alert is on the watch when the phone is locked and the watch worn and unlocked", arguments: 0..<8)
    func watch(bits: Int) {
        let isLocked = bits & 1 > 0
        let isWorn = bits & 2 > 0
        let isUnlocked = bits & 4 > 0
        var settings = ScreenSettings()
        settings.isLocked = isLocked
        #expect(!settings.watchTakesAlerts)
        settings.watch = PairedWatch(isWorn: isWorn, isLocked: !isUnlocked)
        #expect(settings.watchTakesAlerts == (bits == 7))
    }
}
