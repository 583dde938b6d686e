import Testing

extension ProcessTests {
    @Test("channel commands make, list, show and delete a channel, and send reaches the activities that follow it")
    func channel() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                body="{\\"aps\\":{\\"event\\":\\"update\\",\\"timestamp\\":1795262400,\\"content-state\\":{\\"score\\":1}}}"
                channel=$($MYNAH channel create com.example.app --storage-policy 1) || exit 2
                test ${#channel} = 24 || exit 3
                $MYNAH device add kim --app com.example.app >/dev/null || exit 4
                $MYNAH device activity start kim com.example.app Game --channel $channel >/dev/null || exit 5
                $MYNAH channel | grep -q "^$channel.*sandbox.*one.*1.*com.example.app$" || exit 6
                $MYNAH send --broadcast $channel --topic com.example.app --body "$body" | grep -q "^200" || exit 7
                $MYNAH device activity kim | grep -q "^1.*active.*Game.*:1" || exit 8
                $MYNAH channel show $channel | grep -q "\\"broadcasts\\":1" || exit 9
                $MYNAH device add lee --user lee --app com.example.app >/dev/null || exit 21
                $MYNAH device activity start --of-user lee com.example.app Game --channel $channel >out || exit 22
                grep -q "^started 1 activity$" out || exit 23
                $MYNAH device activity start --all com.example.none Game 2>why; test $? = 1 || exit 24
                grep -q "lee: lee has no app com.example.none in sandbox" why || exit 25
                $MYNAH channel | grep -q "^$channel.*2.*com.example.app" || exit 26
                $MYNAH channel create com.example.app --environment production >other || exit 32
                test "$($MYNAH channel ls --app com.example.app --environment sandbox | cut -c1-24)" = $channel || exit 33
                test "$($MYNAH channel ls --environment production | cut -c1-24)" = "$(cat other)" || exit 34
                test -z "$($MYNAH channel ls --app com.example.other)" || exit 35
                $MYNAH channel ls --environment staging 2>why; test $? = 64 || exit 36
                grep -q "sandbox or production" why || exit 37
                $MYNAH send --broadcast $channel --topic com.example.app --content-state "{\\"score\\":2}" >out || exit 38
                $MYNAH expect --channel $channel --exactly 2 --within 0s >/dev/null || exit 39
                $MYNAH expect --channel $(cat other) --max 0 >/dev/null || exit 40
                test "$($MYNAH dump --channel $channel | wc -l)" = 2 || exit 41
                $MYNAH send --broadcast $channel --topic com.example.app 2>why; test $? = 64 || exit 42
                grep -q -- "--broadcast needs --content-state JSON" why || exit 43
                $MYNAH device activity dismiss --of-user lee --channel $channel | grep -q "dismissed 1 act" || exit 27
                $MYNAH device activity dismiss --all 1 2>why; test $? = 64 || exit 28
                $MYNAH device activity start --all kim com.example.app Game 2>why; test $? = 64 || exit 29
                $MYNAH device activity start com.example.app Game 2>why; test $? = 64 || exit 30
                grep -q -- "--of-user" why || exit 31
                $MYNAH channel rm $channel || exit 10
                $MYNAH send --broadcast $channel --topic com.example.app --body "$body" | grep -q ChannelNotReg || exit 11
                $MYNAH channel show $channel 2>why; test $? = 66 || exit 12
                grep -q "there is no channel $channel" why || exit 13
                $MYNAH channel create com.example.app --storage-policy 2 2>why; test $? = 64 || exit 14
                grep -q "expected a whole number from 0 to 1" why || exit 15
                $MYNAH channel create com.example.app --id x 2>why; test $? = 64 || exit 16
                grep -q "expected 16 bytes in standard base64" why || exit 17
                $MYNAH send --broadcast $channel --body "$body" 2>why; test $? = 64 || exit 18
                grep -q -- "--broadcast needs --topic" why || exit 19
                $MYNAH send --broadcast $channel --to 00 --topic com.example.app --body "$body" 2>why
                test $? = 64 || exit 20'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("an export as JSON or YAML restores channels in their order, and the activities that follow them")
    func exportedChannels() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                channel=$($MYNAH channel create com.example.app --storage-policy 1) || exit 2
                $MYNAH channel create com.example.other --environment production >/dev/null || exit 3
                $MYNAH device add kim --app com.example.app >/dev/null || exit 4
                $MYNAH device activity start kim com.example.app Game --channel $channel >/dev/null || exit 5
                echo $channel >channel; $MYNAH channel >before
                $MYNAH export >a.json && $MYNAH export --yaml --out b.yaml' || exit 6
            for file in a.json b.yaml; do
                $MYNAH exec --fixtures $file -- sh -c '
                    body="{\\"aps\\":{\\"event\\":\\"update\\",\\"timestamp\\":1795262400,\\"content-state\\":{\\"score\\":1}}}"
                    channel=$(cat channel)
                    $MYNAH channel >after && cmp before after || exit 7
                    $MYNAH export >c.json && cmp a.json c.json || exit 8
                    $MYNAH send --broadcast $channel --topic com.example.app --body "$body" | grep -q "^200" || exit 9
                    $MYNAH device activity kim | grep -q "^1.*active.*Game.*:1" || exit 10
                    $MYNAH channel rm $channel && $MYNAH reset >/dev/null || exit 11
                    $MYNAH channel >after && cmp before after || exit 12
                    $MYNAH device activity kim | grep -q ":1" && exit 13; exit 0' || exit
            done
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }
}
