extension ForbiddenCode {
    private static let tests = ["Tests/"]
    private static let python = [".py"]
    private static let scripts = [".py", ".sh"]
    /// Tests of servers and of programs; those of rules name times that no clock measures.
    private static let swiftOfServers = [
        "Tests/MynahTests/", "Tests/MynahControlTests/", "Tests/MynahTestingTests/", "Tests/MynahClientTests/",
        "Tests/MynahCLITests/", "Tests/MynahWireTests/",
    ]
    /// A number of seconds that a machine ten times slower can exceed.
    private static let shortSeconds = #"(0?\.[0-9]+|[1-9](\.[0-9]+)?|[1-5][0-9])(?![0-9.]| ?\* ?HANG)"#

    /// What makes tests depend on the machine that they run on; the article *Contributing* has the whole list.
    static let inTests = [
        ForbiddenCode(
            texts: ["sleep"], pattern: #"\bsleep[( ]"#, folders: tests, endings: scripts,
            instead: "an event, or `until` for what tells nobody that it has changed",
            exceptions: [
                "Tests/clients/waiting.py": "`until` looks in intervals",
                "Tests/soak/churn/__main__.py": "the soak looks at a load that lasts for minutes",
                "Tests/soak/churn/measures.py": "the soak's governor holds the load back",
                "Tests/soak/churn/world.py": "a worker whose connection was refused tries it again",
                "Tests/benchmark/pushbench/broadcasts.py": "pushes at a rate are due at times",
                "Tests/benchmark/pushbench/processes.py": "a process tells nobody that it listens or is idle",
                "Tests/containers/package.sh": "what a container runs while commands run within it",
            ],
            findings: ["    time.sleep(0.1)", "until [ -e ready ]; do sleep 1; done"]
        ),
        ForbiddenCode(
            texts: ["timeout", "join(", "result("],
            pattern: #"((^|[ (,])timeout ?= ?|settimeout\(|\.join\(|\.result\(|--timeout[= ]|\btimeout )"#
                + shortSeconds,
            folders: tests, endings: scripts,
            instead: "HANG_SECONDS of waiting.py, or what the script around it has as its end",
            exceptions: [
                "Tests/clients/test_python_calls.py": "the answer may not come, and that is what the caller is told",
                "Tests/clients/test_control_api.py": "a caller that goes away before the answer",
                "Tests/soak/churn/workers.py": "a stream that is silent ends, and another one is opened",
                "Tests/clients/test_harmful_servers.py": "the time of the command that is tested",
            ],
            findings: ["    call(timeout=10)", "channel.settimeout(5)", "thread.join(9)", "timeout 10 sh -c true"]
        ),
        ForbiddenCode(
            // 0 s and 1 s are for what may not come.
            texts: ["wait", "within"], pattern: #"\b(wait|within)\b["']?[=:, ] ?["']?([2-9]|[1-5][0-9])s\b"#,
            folders: tests, endings: scripts, instead: "HANG and LONGEST_WAIT of waiting.py; 180s in the shell",
            findings: [#"get({"wait": "5s"})"#, "mynah expect --within 10s", "GET /v1/notifications?wait=30s"]
        ),
        ForbiddenCode(
            texts: ["HANG"], pattern: #"\bwait["']?[=:] ?HANG\b"#, folders: tests, endings: python,
            instead: "LONGEST_WAIT of waiting.py: a list waits no longer, and `Control` asks again",
            findings: [#"get({"wait": HANG})"#, "inbox(wait=HANG)"]
        ),
        ForbiddenCode(
            texts: ["monotonic()", "perf_counter()"], pattern: #"\(\) - [\w.]+ <=? (?!HANG_SECONDS\b(?! [*/]))"#,
            folders: tests, endings: python,
            instead: "an event whose order tells it, a count, `measured`, or HANG_SECONDS as the bound",
            findings: ["assert time.monotonic() - began < 5", "assert time.monotonic() - began < HANG_SECONDS / 2"]
        ),
        ForbiddenCode(
            texts: ["mynah.process"], pattern: #"from mynah\.process import .*Process\b"#, folders: ["Tests/clients/"],
            endings: python, instead: "Process of server.py, whose waits last until the process hangs",
            findings: ["from mynah.process import Process"]
        ),
        ForbiddenCode(
            texts: ["takes_less_than("], pattern: #"\bwith .*takes_less_than\((?!HANG_SECONDS\))"#, folders: tests,
            endings: python,
            instead: "an event whose order tells it, a count, `measured`, or HANG_SECONDS as the bound",
            findings: ["    with takes_less_than(5):", "    with takes_less_than(HANG_SECONDS / 2):"]
        ),
        ForbiddenCode(
            texts: ["monotonic", "perf_counter"], folders: ["Tests/clients/"], endings: python,
            instead: "`takes_at_least`, `takes_less_than` or `stopwatch`, around all that the time is for",
            exceptions: ["Tests/clients/waiting.py": "the place for it"]
        ),
        ForbiddenCode(
            // A clock that is started within another `with` may start when the product's has been running for a while.
            texts: ["takes_at_least("], pattern: #"^(?!    with takes_at_least\(|def ).*takes_at_least\("#,
            folders: ["Tests/clients/"], endings: python,
            instead: "`with takes_at_least(…), …:` as a statement of the test itself, around every other `with`",
            findings: [
                "        with takes_at_least(1):", "    with connect(mynah) as connection, takes_at_least(1):",
            ]
        ),
        ForbiddenCode(
            texts: ["_bytes(", "resident("], pattern: #"assert .*\b(resident|anonymous)(_bytes)?\("#, folders: tests,
            endings: python,
            instead: "`until`, since memory is given back later than an answer is sent",
            findings: ["assert memory.resident_bytes(mynah.pid) < before", "assert resident(mynah) - before < most"]
        ),
        ForbiddenCode(
            texts: [".process.log()"], pattern: #"assert .* in \w+\.process\.log\(\)"#, folders: tests,
            endings: python, instead: "`wait_for_error`, since the log of a server that runs is read by another thread",
            exceptions: [
                "Tests/clients/test_cluster.py": "an event that is logged before has been waited for",
                "Tests/clients/test_open.py": "a line that may not be there",
                "Tests/clients/test_serve_command.py": "a line that may not be there",
            ],
            findings: [#"assert "started" in mynah.process.log()"#]
        ),
        ForbiddenCode(
            texts: ["process.errors", "process.lines", "log_lines"],
            pattern: #"assert (any\(|f?".* in ).*(process\.(errors|lines)|log_lines)"#, folders: tests,
            endings: python,
            instead: "`wait_for_error`, since the output of a server that runs is read by another thread",
            findings: [
                #"assert any("started" in line for line in mynah.process.errors)"#,
                #"assert "started" in mynah.log_lines"#,
            ]
        ),
        ForbiddenCode(
            texts: ["port"], pattern: #"-port[=", ]+"?[1-9]"#, folders: tests, endings: scripts,
            instead: "port 0, and the port that the ready file has; `held_port` for one that is known before",
            exceptions: [
                "Tests/clients/test_intercept.py": "a port that is given twice, which is refused",
                "Tests/clients/test_odd_paths.py": "port 1, where nothing listens",
                "Tests/clients/test_text_files.py": "port 1, where nothing listens",
                "Tests/clients/test_serve_command.py": "a number that no port has",
                "Tests/containers/package.sh": "a container of its own",
            ],
            findings: [#"serve("--control-port", "8197")"#, "mynah serve --port=2197"]
        ),
        ForbiddenCode(
            texts: ["bind(("], pattern: #"bind\(\(.*, 0\)\)"#, folders: tests, endings: python,
            instead: "`held_port`: a port that is given back can be anybody's before it is used",
            exceptions: [
                "Tests/clients/test_first_errors.py": "is held, so that nobody listens",
                "Tests/benchmark/pushbench/clusters.py": "is held until the servers have ended",
            ],
            findings: [#"one.bind(("127.0.0.1", 0))"#]
        ),
        ForbiddenCode(
            texts: ["SIG_IGN", "preexec_fn", "trap ''", "--default-signal="], folders: tests, endings: scripts,
            instead: "surroundings.py, and in the shell `env --default-signal`, which gives a process all signals back",
            exceptions: [
                "Tests/clients/surroundings.py": "the place for it",
                "Tests/clients/test_run_script.py": "a stand-in that no signal but one ends",
                "Tests/run.sh": "is interrupted once, not while it ends what runs",
            ]
        ),
        ForbiddenCode(
            texts: ["umask(", "setlocale(", "tzset(", "chdir("], folders: tests, endings: python,
            instead: "surroundings.py, or an argument of the process that is started: all tests share this one",
            exceptions: [
                "Tests/clients/surroundings.py": "the place for it",
                "Tests/clients/docker_stand_in.py": "is a program of its own",
            ]
        ),
        ForbiddenCode(
            texts: ["/proc/{", ", 0)"], pattern: #"assert not .*/proc/\{|os\.kill\(\w+, 0\)"#, folders: tests,
            endings: python,
            instead: "`os.pidfd_open`, which becomes readable when the process has ended: the kernel takes time for it",
            findings: [#"assert not Path(f"/proc/{process}").exists()"#, "os.kill(process, 0)"]
        ),
        ForbiddenCode(
            // Milliseconds are for what may not come.
            texts: ["timeout:", "within:", "timeLimit("],
            pattern: #"\b(timeout|within): ?\.seconds\(\d+\)|timeLimit\(\.minutes\(\d"#, folders: swiftOfServers,
            instead: "Patience",
            exceptions: [
                "Tests/MynahTestingTests/SimulationTests.swift": "a time that is refused",
                "Tests/MynahTests/ProviderConnectionTests.swift": "a server that never answers",
            ],
            findings: ["try await apns.expect(within: .seconds(5))", "@Test(.timeLimit(.minutes(1)))"]
        ),
        ForbiddenCode(
            texts: ["ControlClient("], folders: swiftOfServers,
            instead: "`ControlClient.patient`: while tests compute, a server's tasks wait for a thread"
        ),
        ForbiddenCode(
            texts: ["Provider("], pattern: #"(^|[ (=])Provider\((host:|$)"#, folders: swiftOfServers,
            instead: "`Provider.patient`: on a machine that stands still for a minute, an answer takes as long",
            findings: ["let provider = Provider(", "try await Provider(host: host)"]
        ),
        ForbiddenCode(
            texts: [".now - "], folders: swiftOfServers,
            instead: """
                an event whose order tells it, a clock that the test moves, or Patience.duration as the bound; \
                `ContinuousClock().measure`, around all that takes a least time
                """,
            exceptions: [
                "Tests/MynahControlTests/Events/EventKindTests.swift": "counts what may be more the longer it takes"
            ]
        ),
        ForbiddenCode(
            texts: ["time <"], pattern: #"[( ]time <=? (?!Patience\.duration\b)"#, folders: swiftOfServers,
            instead: "an event whose order tells it, a clock that the test moves, or Patience.duration as the bound",
            findings: ["#expect(time < .seconds(50))"]
        ),
        ForbiddenCode(
            texts: ["bind("], pattern: #"\bbind\(.*port: ?[1-9]"#, folders: swiftOfServers,
            instead: "port 0, and the address that was bound",
            findings: [#"try await bootstrap.bind(host: "127.0.0.1", port: 2197)"#]
        ),
        ForbiddenCode(
            texts: ["cpu_count(", "sched_getaffinity(", "getloadavg("], folders: ["Tests/clients/"], endings: python,
            instead: "counts and ratios that hold with one processor and under load"
        ),
    ]
}
