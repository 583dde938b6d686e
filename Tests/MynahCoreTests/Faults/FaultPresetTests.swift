import APNsRules
import MynahCore
import Testing

@Suite("Fault presets")
struct FaultPresetTests {
    @Test("every preset is a valid rule without options", arguments: FaultPreset.names)
    func all(name: String) throws {
        let draft = try FaultDraft(json: try FaultPreset.parse([name]))
        #expect(draft.rule.schedule.actions.count == 1)
    }

    @Test("names are unique, and every one has help")
    func table() {
        #expect(Set(FaultPreset.names).count == FaultPreset.names.count)
        for preset in FaultPreset.all {
            #expect(!preset.help.isEmpty)
            let options = (preset.options + FaultPreset.commonOptions).map(\.name)
            #expect(Set(options).count == options.count, "\(preset.name)")
        }
    }

    @Test(
        "options set their fields",
        arguments: [
            (["410"], #"{"action":{"type":"respond","status":410,"reason":"Unregistered"}}"#),
            (["FeatureNotEnabled"], #"{"action":{"type":"respond","reason":"FeatureNotEnabled"}}"#),
            (["TooManyProviderTokenUpdates"], #"{"action":{"type":"respond","reason":"TooManyProviderTokenUpdates"}}"#),
            (
                ["429", "--times", "3", "--probability=0.5"],
                #"{"action":{"type":"respond","status":429,"reason":"TooManyRequests"},"times":3,"probability":0.5}"#
            ),
            (
                ["503", "--body", "", "--delay", "2s", "--deliver"],
                #"{"action":{"type":"respond","status":503,"reason":null,"body":"","delay":"2s","deliver":true}}"#
            ),
            (
                ["goaway", "--after", "1000", "--last-stream-id", "lower", "--two-step"],
                #"{"action":{"type":"goaway","reason":"Shutdown","afterPushes":1000,"lastStreamId":"lower","twoStep":true}}"#
            ),
            (
                ["goaway", "--code", "7", "--debug", "Maximum active streams violated"],
                #"{"action":{"type":"goaway","reason":null,"code":7,"debug":"Maximum active streams violated"}}"#
            ),
            (["slow", "--delay", "5s"], #"{"action":{"type":"pass","delay":"5s"}}"#),
            (["refuse", "--id", "down"], #"{"match":{"event":"accept"},"action":{"type":"refuse"},"id":"down"}"#),
            (["reset", "--code", "CANCEL"], #"{"action":{"type":"resetStream","code":"CANCEL"}}"#),
        ])
    func options(words: [String], rule: String) throws {
        let parsed = try FaultPreset.parse(words)
        #expect(parsed.encodedText == rule)
        _ = try FaultDraft(json: parsed)
    }

    @Test(
        "an error names the wrong word",
        arguments: [
            ([], "preset", "goaway"), (["411"], "411", "410"), (["gaway"], "gaway", "did you mean \"goaway\""),
            (["410", "--tims", "3"], "--tims", "did you mean \"--times\""), (["410", "3"], "3", "--times 3"),
            (["410", "--times"], "--times", "has no value"),
            (["410", "--times", "many"], "--times", "expected a number"),
            (["stall", "--code", "1"], "--code", "did you mean \"--scope\""),
        ])
    func errors(words: [String], field: String, says: String) {
        let error = #expect(throws: InputError.self) { try FaultPreset.parse(words) }
        #expect(error?.field == field)
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test("an unknown option's error lists the preset's options")
    func optionsOfPreset() {
        let error = #expect(throws: InputError.self) { try FaultPreset.parse(["stall", "--code", "1"]) }
        #expect(error?.allowed.contains("--deliver") == true && error?.allowed.contains("--code") == false)
    }
}
