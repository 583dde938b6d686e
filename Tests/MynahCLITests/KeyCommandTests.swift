import Testing

@testable import MynahCLI

extension ProcessTests {
    @Test("a generated key signs, is listed, and is refused once it is revoked")
    func key() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                id=$($MYNAH key add --out news.p8 --environment sandbox --topic com.example.app) || exit 2
                test "$(stat -c %a news.p8)" = 600 || exit 3
                team=$($MYNAH key show $id | cut -d\\" -f8)
                send="$MYNAH send --key news.p8 --key-id $id --team-id $team --to \(Banner.exampleToken) --alert hi"
                $send --topic com.example.app >/dev/null || exit 4
                $send --topic com.example.other | grep -q TopicDisallowed || exit 5
                $MYNAH key ls | grep -q "^$id.*good.*com.example.app" || exit 6
                $MYNAH key ls --json | grep -q PRIVATE && exit 7
                $MYNAH key set $id --topic com.example.other | grep -q "^$id.*com.example.other" || exit 15
                $send --topic com.example.other | grep -q DeviceTokenNotForTopic || exit 16
                $MYNAH key set $id --whole-team | grep -q "^$id.*sandbox.*all of the team" || exit 17
                $MYNAH key rm $id || exit 8
                $send --topic com.example.app | grep -q InvalidProviderToken || exit 9
                $MYNAH key list | grep -q "^$id.*revoked" || exit 10
                $MYNAH reset --only keys | grep -q "\\"keys\\":1" || exit 11
                $MYNAH key show $id 2>/dev/null; test $? = 66 || exit 12
                $MYNAH key add 2>why; test $? = 64 || exit 13
                grep -q -- --out why || exit 14'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("an invalid fixtures file ends the start with 78 and its line")
    func wrongFixtures() async throws {
        let result = try await run(
            """
            printf 'keys:\n  - keyId: NEWS123456\n    topcs: []\n' >fixtures.yaml
            $MYNAH serve --port 0 --control-port 0 --fixtures fixtures.yaml
            """)
        #expect(result.code == 78)
        #expect(result.err.contains("fixtures.yaml:3: /keys/0/topcs: "), "\(result.err)")
        #expect(result.out == "")
    }
}
