import Testing

extension ProcessTests {
    @Test("activity commands start, list, update, end and dismiss a Live Activity, which an export restores")
    func activity() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                $MYNAH device add kim --app com.example.app >/dev/null || exit 2
                token=$($MYNAH device activity start kim com.example.app Game --content-state "{\\"score\\":0}") || exit 3
                test ${#token} = 64 || exit 4
                topic=com.example.app.push-type.liveactivity
                $MYNAH send --to $token --topic $topic --body "{\\"aps\\":{\\"event\\":\\"update\\",\\"timestamp\\":1795262400,
                    \\"content-state\\":{\\"score\\":1}}}" >/dev/null || exit 5
                $MYNAH device activity kim | grep -q "^1.*active.*Game.*:1" || exit 6
                $MYNAH device screen kim | grep -q "^activity 1 $topic active" || exit 7
                $MYNAH device activity update kim 1 --content-state "{\\"score\\":2}" --json | grep -q ":2" || exit 8
                $MYNAH export --out export.json || exit 9
                $MYNAH device activity end kim 1 || exit 10
                $MYNAH device activity ls kim --json | grep -q "\\"state\\":\\"ended\\"" || exit 11
                $MYNAH device activity dismiss kim 1 || exit 12
                $MYNAH device activity dismiss kim 1 2>why; test $? = 73 || exit 13
                grep -q "already dismissed" why || exit 14
                $MYNAH device activity start kim com.example.none Game 2>why; test $? = 66 || exit 15
                grep -q "no app com.example.none" why || exit 16
                $MYNAH device activity start kim com.example.app Game --attributes x 2>why; test $? = 64 || exit 17
                $MYNAH device activity update kim 1 2>/dev/null; test $? = 64 || exit 18
                test "$($MYNAH device activity start kim com.example.app Game --no-token)" = "activity 2" || exit 19
                $MYNAH send --to $token --topic $topic --alert x | grep -q ExpiredToken || exit 20' &&
            $MYNAH exec --fixtures export.json -- sh -c '
                $MYNAH device activity kim | grep -q "^1.*active.*Game.*:2" || exit 21'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("device commands make, change, show and remove a device, its apps and its inbox")
    func device() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                token=$($MYNAH device add kim --app com.example.app | cut -d" " -f2) || exit 2
                test ${#token} = 64 || exit 3
                $MYNAH device set kim --offline >/dev/null || exit 3
                $MYNAH send --to $token --topic com.example.app --alert hi >/dev/null || exit 4
                $MYNAH device ls | grep -q "^kim.*offline.*1.*com.example.app" || exit 5
                $MYNAH device set kim --online --name Kim --json | grep -q "\\"name\\":\\"Kim\\"" || exit 6
                $MYNAH device inbox kim | grep -q "\\"alert\\":\\"hi\\"" || exit 7
                $MYNAH device ls --offline | grep -q . && exit 8
                $MYNAH device show kim | grep -q $token || exit 9
                other=$($MYNAH device install kim com.example.other) || exit 10
                test ${#other} = 64 || exit 11
                test "$($MYNAH device launch kim com.example.other)" = "$other" || exit 12
                $MYNAH device uninstall kim com.example.other || exit 13
                $MYNAH send --to $other --topic com.example.other --alert hi | grep -q Unregistered || exit 14
                $MYNAH device launch kim com.example.other 2>why; test $? = 66 || exit 21
                grep -q "com.example.other is not on kim any more" why || exit 22
                $MYNAH device launch kim com.exampel.app 2>why; test $? = 66 || exit 23
                grep -q "no app com.exampel.app in sandbox: did you mean" why || exit 24
                test "$($MYNAH device add f --count 3 --app a --scope t | wc -l)" = 3 || exit 15
                $MYNAH device rm kim f-00001 || exit 16
                $MYNAH reset --scope t | grep -q "\\"devices\\":2" || exit 17
                $MYNAH device show kim 2>why; test $? = 66 || exit 18
                grep -q kim why || exit 19
                $MYNAH device add kim --locked --muted --language de --offline >/dev/null || exit 20
                $MYNAH device set kim --power low --json >after || exit 21
                grep -q "\\"online\\":false,.*\\"languages\\":.\\"de\\".,\\"locked\\":true,\\"muted\\":true" after || exit 22
                $MYNAH device set kim 2>why; test $? = 64 || exit 23
                grep -q "nothing to change" why || exit 24'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("device: notifications are opened and cleared, badges set, and the device muted and locked")
    func deviceScreen() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                token=$($MYNAH device add kim --app com.example.app | cut -d" " -f2) || exit 2
                for i in 1 2 3; do
                    $MYNAH send --to $token --topic com.example.app --alert hi --sound default >/dev/null || exit 3
                done
                first=$($MYNAH device screen kim | tail -1 | sed "s/^#//;s/ .*//")
                $MYNAH device set kim --locked --muted --json | grep -q "\\"muted\\":true" || exit 4
                $MYNAH device act kim $first 2>why && exit 5
                grep -q "locked" why || exit 6
                $MYNAH device set kim --unlocked --unmuted >/dev/null || exit 7
                $MYNAH device act kim $first | grep -q DefaultActionIdentifier || exit 8
                $MYNAH device badge kim com.example.app 3 --json | grep -q "\\"com.example.app\\":3" || exit 9
                $MYNAH device clear kim --topic com.example.ap 2>why && exit 10
                grep -q "did you mean .com.example.app" why || exit 10
                $MYNAH device clear kim --json | grep -q "\\"notifications\\":2" || exit 11
                test "$($MYNAH device screen kim)" = "badge com.example.app: 3" || exit 12
                $MYNAH dump --sounded true | wc -l | grep -q "^3" || exit 13
                $MYNAH device set kim --muted --unmuted 2>/dev/null; test $? = 64 || exit 14'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("device: those of a user are listed and changed together, with a watch and a summary")
    func deviceUser() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                $MYNAH device add phone --user kim --watch worn --app com.example.app >/dev/null || exit 2
                $MYNAH device add pad --user kim --platform iPadOS >/dev/null || exit 3
                $MYNAH device add other >/dev/null || exit 4
                test "$($MYNAH device ls --user kim | wc -l)" = 2 || exit 5
                $MYNAH device set --of-user kim --locked | grep -qx "changed 2 devices" || exit 6
                $MYNAH device show phone | grep -q "\\"watch\\":{\\"worn\\":true,\\"locked\\":false}" || exit 7
                $MYNAH device show phone | grep -q "\\"locked\\":true,\\"muted\\"" || exit 8
                $MYNAH device set phone --summary-time 08:00 --summary-app com.example.app >/dev/null || exit 9
                $MYNAH device show phone | grep -q "\\"times\\":.\\"08:00\\"." || exit 10
                $MYNAH device set phone --no-summary --no-watch >/dev/null || exit 11
                $MYNAH device show phone | grep -q "\\"watch\\":null,\\"summary\\":null" || exit 12
                $MYNAH device set --of-user kim --watch worn 2>why && exit 13
                grep -q "not with iPadOS" why || exit 14
                $MYNAH device set phone --of-user kim --locked 2>/dev/null; test $? = 64 || exit 15
                $MYNAH device set phone --summary-time 08:00 2>/dev/null; test $? = 64 || exit 16
                $MYNAH device set phone --focus Work --focus-app a --focus-person "Kim Lee" --json >focus || exit 17
                grep -q "\\"name\\":\\"Work\\",\\"apps\\":.\\"a\\".,\\"people\\":.\\"Kim Lee\\"." focus || exit 18
                $MYNAH device set phone --focus-person Kim 2>/dev/null; test $? = 64 || exit 19'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("an app's settings are shown and changed by the API's names")
    func app() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                test "$($MYNAH device add kim --offline --app com.example.app)" = "kim - com.example.app" || exit 2
                test "$($MYNAH device launch kim com.example.app)" = "-" || exit 3
                app="$MYNAH device app kim com.example.app"
                $app | grep -qx "permissions.liveActivities	true" || exit 4
                $app permissions.liveActivities=false permissions.alertStyle=none appState=foreground >after || exit 5
                grep -qx "permissions.liveActivities	false" after || exit 6
                grep -qx "permissions.alertStyle	none" after || exit 7
                grep -qx "permissions.sound	true" after || exit 8
                grep -qx "appState	foreground" after || exit 9
                $app permissions.liveActivities=null --json | grep -q "\\"liveActivities\\":true" || exit 10
                $app permissions.liveActivites=false 2>why; test $? = 64 || exit 11
                grep -qF "unknown setting \\"permissions.liveActivites\\": did you mean \\"permissions.liveActivities\\"?" \\
                    why || exit 12
                $app permissions.sound=maybe 2>why; test $? = 64 || exit 13
                grep -qF "permissions.sound: \\"maybe\\" is not valid: expected true or false" why || exit 14
                $app permissions.sound 2>why; test $? = 64 || exit 15
                $MYNAH device app kim com.example.none 2>why; test $? = 66 || exit 16'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("clock commands set, advance and show the clock")
    func clock() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                $MYNAH clock set frozen --now 2027-01-01T00:00:00Z | grep -q "frozen" || exit 2
                $MYNAH clock advance 1h30m | grep -q "^2027-01-01T01:30:00.000Z (frozen)" || exit 3
                $MYNAH clock advance --to 2027-01-02T00:00:00Z --json | grep -q "\\"delivered\\":0" || exit 4
                $MYNAH clock advance --scope t 1h >/dev/null || exit 5
                $MYNAH clock --scope t 2>/dev/null | grep -q . || $MYNAH clock show --scope t | grep -q T01: || exit 6
                $MYNAH clock | grep -q "^2027-01-02T00:00:00.000Z (frozen)" || exit 7
                $MYNAH clock advance --to next 2>why; test $? = 75 || exit 8
                grep -q "^mynah: nothing is due" why || exit 10
                $MYNAH clock advance --to nxt 2>/dev/null; test $? = 64 || exit 11
                $MYNAH clock advance 2>/dev/null; test $? = 64 || exit 9'
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }

    @Test("an export as JSON or YAML restores the same devices, tokens, keys and clock")
    func export() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c '
                $MYNAH device add kim --app com.example.app --app com.example.app.voip --name "Kim: \\"#1\\" - yes" >/dev/null
                $MYNAH device add lee --offline --app com.example.app --scope t --power low >/dev/null
                $MYNAH device install kim com.example.new --not-launched >/dev/null
                $MYNAH device uninstall kim com.example.app.voip
                $MYNAH device install kim com.example.app.voip >/dev/null
                $MYNAH key add ABCDE12345 --out k.p8 >/dev/null
                $MYNAH clock set frozen --now 2027-01-01T00:00:00Z >/dev/null
                $MYNAH export >a.json && $MYNAH export --yaml --out b.yaml' || exit 2
            $MYNAH exec --fixtures a.json -- $MYNAH export >c.json || exit 3
            $MYNAH exec --fixtures b.yaml -- $MYNAH export >d.json || exit 4
            cmp a.json c.json && cmp a.json d.json || { cat a.json c.json d.json; exit 5; }
            grep -q ABCDE12345 a.json || exit 6
            """)
        #expect(result.code == 0, "\(result.out)\(result.err)")
    }
}
