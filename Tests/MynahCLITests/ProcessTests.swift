import Glibc
import MynahClient
import Testing

@testable import MynahCLI

@Suite("mynah as a process")
struct ProcessTests {
    private let folder: String
    private let environment: [String: String]

    init() throws {
        var template = Array("/tmp/mynah-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        folder = String(cString: try #require(made))
        // The program is next to the tests' bundle.
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        let program =
            FileAccess.absolute(bundle).split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/mynah"
        try #require(access(program, X_OK) == 0, "\(program) is not built")
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "MYNAH": program,
            "MYNAH_STATE_DIR": folder + "/certs", "FOLDER": folder,
        ]
    }

    /// Runs a script in a temporary folder, with standard output and error in the files `out` and `err`.
    func run(_ script: String) async throws -> (code: Int32, out: String, err: String) {
        let wrapped = "cd \"$FOLDER\" && { \(script)\n} >out 2>err </dev/null"
        let code = try await ExecChild.run(["sh", "-c", wrapped], environment: environment)
        let result = (
            code, try FileAccess.readText(folder + "/out") ?? "", try FileAccess.readText(folder + "/err") ?? ""
        )
        let removed = try await ExecChild.run(["rm", "-rf", folder], environment: environment)
        #expect(removed == 0)
        return result
    }

    @Test(
        "exit codes are the documented ones, with a message",
        arguments: [
            ("serve --prot 1", 64, "mynah: unknown option --prot: did you mean \"--port\"?\n"),
            ("--port x", 64, "mynah: --port: invalid value \"x\": expected a port"),
            ("sevre", 64, "mynah: unknown command sevre: did you mean \"serve\"?"),
            ("expect --tpic x", 64, #"mynah: unknown option --tpic: did you mean "--topic"?"#),
            ("send --topc x", 64, #"mynah: unknown option --topc: did you mean "--topic"?"#),
            ("send --token x", 64, #"mynah: unknown option --token: did you mean "--to"?"#),
            ("send --cacert x", 64, #"mynah: unknown option --cacert: did you mean "--ca-file"?"#),
            ("expect --timeout 5s", 64, #"mynah: unknown option --timeout: did you mean "--within"?"#),
            ("expect --min 1", 64, #"mynah: unknown option --min: did you mean "--count"?"#),
            ("expect --not-topic x", 64, "mynah: unknown option --not-topic; see mynah expect --help\n"),
            ("remove 1 --topic x", 64, "mynah: ids of pushes and filters exclude each other: leave out one of them"),
            ("fault remove --all f-1", 64, "mynah: ids, --scope and --all exclude each other: expected one of them"),
            ("--allowed-host http://x", 78, "mynah: invalid --allowed-host http://x: expected a host name without"),
            ("--allowed-host x.example:80", 78, "mynah: invalid --allowed-host x.example:80: expected a host name"),
            ("--allowed-host a..b", 78, "mynah: invalid --allowed-host a..b: expected a host name"),
            ("device ls --offlin --online --offline", 64, #"unknown option --offlin: did you mean "--offline"?"#),
            ("device lst", 64, "mynah: unknown command device lst: did you mean \"list\"?\ncommands: list, show, "),
            ("help nosuch", 64, "mynah: unknown command or topic nosuch\ncommands: serve, "),
            ("help filtrs", 64, "mynah: unknown command or topic filtrs: did you mean \"filters\"?\n"),
            ("help device lst", 64, "mynah: unknown command device lst: did you mean \"list\"?"),
            ("completions csh", 64, "mynah: shell: invalid value \"csh\": expected bash, zsh or fish"),
            (
                "expect --within 5", 64,
                "mynah: --within: invalid value \"5\": expected a duration with a unit, like 250ms"
            ),
            (
                "expect --count many", 64,
                "mynah: --count: invalid value \"many\": expected a whole number; see mynah expect"
            ),
            ("channel create", 64, "mynah: missing argument: expected <bundle-id>; see mynah channel create --help\n"),
            ("fault add 504", 64, "mynah: unknown preset \"504\": expected 400, 403, "),
            ("fault add slw", 64, "mynah: unknown preset \"slw\": did you mean \"slow\"?\n"),
            ("fault add nosuchthing", 64, "or a reason; `mynah help faults` lists them\n"),
            ("fault add 503 --tims 2", 64, "mynah: unknown option of 503 \"--tims\": did you mean \"--times\"?"),
            (
                "fault add 503 --apns-priority 5", 64,
                #"mynah: unknown option --apns-priority: did you mean "--priority"?"#
            ),
            (
                "fault set f-1 --apns-push-type=voip", 64,
                #"unknown option --apns-push-type: did you mean "--push-type"?"#
            ),
            ("scenario add nosuch", 66, "mynah: nosuch is neither a file nor a shipped scenario"),
            ("exec -- ", 64, "mynah: missing command: expected one after --"),
            ("--config none.yaml", 78, "mynah: --config: there is no file none.yaml\n"),
            ("--host 0.0.0.0", 78, "mynah: the control API on 0.0.0.0 can be reached from other machines"),
            (
                "--port 0 --control-port 0 --auth-key AuthKey_ABC123DEFG.p8 --team-id TEAM123456", 78,
                "AuthKey_ABC123DEFG.p8"
            ),
            ("healthcheck --ready-file none.json", 69, "mynah: there is no ready file none.json yet"),
            ("reset --url localhost", 64, "mynah: \"localhost\" is not the address of a control API"),
        ])
    func exitCodes(arguments: String, code: Int32, message: String) async throws {
        let result = try await run("$MYNAH \(arguments)")
        #expect(result.code == code)
        #expect(result.err.contains(message), "\(result.err)")
        #expect(result.out == "")
    }

    @Test(
        "serve prints one line on standard output, ends with 0 on a signal, and leaves no files",
        arguments: ["TERM", "INT"])
    func serve(signal: String) async throws {
        let result = try await run(
            """
            $MYNAH --port 0 --control-port 0 --seed 7 --ready-file ready.json & server=$!
            $MYNAH healthcheck --wait 5m --ready-file ready.json >/dev/null || exit 2
            test -f mynah/$server.json || exit 3
            $MYNAH expect --max 0 >/dev/null || exit 4
            kill -\(signal) $server
            wait $server || exit 5
            test ! -e mynah/$server.json || exit 6
            """)
        #expect(result.code == 0, "\(result.err)")
        #expect(result.out.hasPrefix("mynah ready: APNs https://localhost:"))
        #expect(result.out.hasSuffix(" seed 7\n"))
        #expect(result.out.split(separator: "\n").count == 1)
        #expect(result.err.contains("curl --http2 --cacert"))
    }

    @Test("a command of exec finds the server, its exit code is returned, and the journal is dumped")
    func exec() async throws {
        let result = try await run(
            """
            $MYNAH exec --dump pushes.jsonl -- sh -c '
                $MYNAH send --to \(Banner.exampleToken) --topic com.example.app --alert hi >/dev/null || exit 2
                $MYNAH send --to 00 --topic com.example.app --alert hi >/dev/null; test $? = 1 || exit 3
                $MYNAH expect --count 2 --topic com.example.app >/dev/null || exit 4
                $MYNAH expect --within 10ms --topic com.example.other >/dev/null; test $? = 1 || exit 5
                test "$($MYNAH dump outcome:refused | wc -l)" = 1 || exit 6
                exit 42'
            code=$?
            wc -l <pushes.jsonl
            exit $code
            """)
        #expect(result.code == 42, "\(result.err)")
        #expect(result.out == "2\n")
    }

    // In a separate process: a signal to the tests' process would reach the children of all tests.
    @Test("exec forwards a signal to its command")
    func execSignal() async throws {
        let result = try await run(
            """
            $MYNAH exec -- sh -c 'trap "exit 42" TERM; kill -TERM $PPID; while :; do :; done'
            """)
        #expect(result.code == 42, "\(result.err)")
    }

    @Test("certs init makes the key and CA that token and a server use")
    func certsInit() async throws {
        let result = try await run(
            """
            $MYNAH certs init | sed -n 's/^key file *//p' >key || exit 2
            $MYNAH token --key "$(cat key)" --team-id TEAM123456 | tr -cd . | wc -c
            """)
        #expect(result.code == 0, "\(result.err)")
        #expect(result.out == "2\n")
    }
}
