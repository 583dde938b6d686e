import APNsRules
import MynahCore
import Testing

@Suite("Magic tokens")
struct MagicTokensTests {
    @Test("every reason code has a token that provokes it", arguments: Reason.allCases)
    func reasons(reason: Reason) throws {
        let magic = try #require(MagicTokens.magic(MagicTokens.token(for: reason)))
        #expect(magic.status == reason.status)
        #expect(magic.reason == reason.rawValue)
        #expect(magic.token.hex.hasPrefix(String(repeating: "badc0ffee0ddf00d", count: 3) + "0\(reason.status)"))
    }

    @Test("tokens are unique, and each is found")
    func unique() {
        let all = MagicTokens.all
        #expect(Set(all.map(\.token)).count == all.count)
        #expect(all.allSatisfy { MagicTokens.magic($0.token) == $0 })
        #expect(all.count > Reason.allCases.count + 15)
    }

    @Test("magic tokens ignore case, and similar tokens are not magic")
    func others() throws {
        let token = MagicTokens.token(for: .unregistered)
        #expect(token.hex == "badc0ffee0ddf00dbadc0ffee0ddf00dbadc0ffee0ddf00d0410000000000001")
        #expect(MagicTokens.magic(try #require(DeviceToken(token.hex.uppercased())))?.status == 410)
        for text in [
            String(token.hex.dropLast()) + "9", "badc0ffee0ddf00d" + String(repeating: "0", count: 48), Entry.aToken,
            token.hex + "00",
        ] {
            #expect(MagicTokens.magic(try #require(DeviceToken(text))) == nil)
        }
    }

    @Test("each magic channel does what its token does, and is written in base64")
    func channels() throws {
        let all = MagicTokens.all
        #expect(Set(all.map(\.channel)).count == all.count)
        #expect(all.allSatisfy { MagicTokens.magic($0.channel) == $0 })
        let channel = MagicTokens.channel(for: .channelNotRegistered)
        #expect(channel.text == "utwP/uDd8A0EAAAAAAAAGA==")
        #expect(try MagicTokens.magic(#require(ChannelID(channel.text)))?.reason == "ChannelNotRegistered")
        #expect(try MagicTokens.magic(#require(ChannelID("tvI2UK0vEfEAAA6GFnjo2Q=="))) == nil)
        #expect(MagicTokens.magic(ChannelID(high: MagicTokens.leadingWord, low: 1)) == nil)
    }

    @Test("the list has six members, and every action is valid in a rule")
    func items() throws {
        let items = MagicTokens.all.map(\.json)
        for (item, magic) in zip(items, MagicTokens.all) {
            #expect(item.object?.map(\.name) == ["token", "channel", "segment", "does", "status", "reason"])
            // Whatever a token does, a rule can do.
            let draft = try FaultDraft(json: ["action": magic.action.json])
            #expect(draft.rule.schedule.actions == [magic.action])
        }
        #expect(items.contains { $0["status"] == .null && $0["does"] == "is never answered" })
    }
}
