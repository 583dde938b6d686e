import APNsRules
import MynahCore

/// What `mynah help TOPIC` describes: a subject that many commands share, in 80 columns.
enum HelpTopic: String, CaseIterable {
    case filters, faults, time
    case magicTokens = "magic-tokens"
    case exitCodes = "exit-codes"
    case environment, files

    /// What the topic is about, a phrase.
    var summary: String {
        switch self {
        case .filters: "selecting pushes"
        case .faults: "making the server misbehave"
        case .time: "the clock, and durations"
        case .magicTokens: "tokens, channels and endpoints that cause an answer"
        case .exitCodes: "how commands end"
        case .environment: "variables"
        case .files: "what is read and written"
        }
    }

    var text: String {
        switch self {
        case .filters: HelpTopic.filtersText
        case .faults: HelpTopic.faultsText
        case .time: HelpTopic.timeText
        case .magicTokens: HelpTopic.magicTokensText
        case .exitCodes: HelpTopic.exitCodesText
        case .environment: HelpTopic.environmentText
        case .files: HelpTopic.filesText
        }
    }

    private static var filtersText: String {
        """
        Filters select pushes in tail, dump and expect, and on the page. As flags or on
        one line:

          mynah dump --topic com.example.app --status 410
          mynah dump 'topic:com.example.app status:410'
          mynah expect 'topic:com.example.app -reason:BadDeviceToken "hi there"'
          mynah tail 'payload:/aps/category:NEWS'
          mynah tail 'topic~:example payload:/aps/alert/body~:rain'

        Different keys must all match, a repeated key matches any of its values, and a
        minus in front negates. A value is compared as a whole; behind a tilde it only
        has to be a part. Words without a key search the payload's text.

        Keys:

        \(TextTable.wrapped(FilterKey.names, indent: 2, width: 79).joined(separator: "\n"))

        Read on in the documentation: Filter language, Check what arrived.
        """
    }

    private static var faultsText: String {
        """
        A fault rule makes requests that match fail in a chosen way:

          mynah fault add 503 --times 2 --topic com.example.app
          mynah fault add slow --delay 5s
          mynah fault list
          mynah fault remove --all

        A preset is one of these, or a reason of APNs such as TooManyRequests:

        \(TextTable.wrapped(FaultPreset.all.map(\.name), indent: 2, width: 79).joined(separator: "\n"))

        A scenario adds and removes rules by a script, like an incident of the service:

          mynah scenario list --shipped
          mynah scenario add throttling-storm

        mynah fault add --help has the options. Read on in the documentation: Inject
        faults, Fault presets, Scenarios.
        """
    }

    private static var timeText: String {
        """
        Expiry, storage, ages of provider tokens and idle connections follow the clock
        of the server. It can be stopped and advanced, so that a test need not wait:

          mynah clock set frozen
          mynah clock advance 2h
          mynah clock advance --to next
          mynah clock set real

        A duration has units, like \(DurationText.examples.joined(separator: ", ")); a time is RFC 3339, like
        2026-12-24T18:00:00Z.

        Providers sign their tokens by the system's clock, and are refused once the
        two differ by more than an hour: mynah clock advance --scope moves only the
        clock of one scope's devices, and mynah clock set real goes back. mynah send
        and mynah token sign by the server's clock.

        Read on in the documentation: Control time, Run tests in parallel.
        """
    }

    private static var magicTokensText: String {
        """
        A push to one of these device tokens has an answer of its own, unless the
        server has --magic-tokens off. So has a broadcast to the channel below it. The
        path of a web push's endpoint that does the same is
        \(MagicTokens.segmentRule):

        \(MagicTokens.all.map(magicToken).joined(separator: "\n"))

        Read on in the documentation: Magic tokens.
        """
    }

    private static func magicToken(_ magic: MagicToken) -> String {
        """
          \(magic.token.hex)
              \(magic.does)
              channel \(magic.channel.text)
        """
    }

    private static var exitCodesText: String {
        """
        \(CommandStatus.help)

        mynah exec ends with the exit code of its command, with 127 if that is not
        found, 126 if it may not be run, and 128 plus the signal's number after a
        signal.

        Read on in the documentation: Exit codes.
        """
    }

    /// The variables of commands that aren't settings of the server.
    private static let variables: KeyValuePairs = [
        "MYNAH_URL": "the control API, like http://127.0.0.1:8197; set by mynah exec",
        "MYNAH_READY_FILE": "the ready file of the server, instead of MYNAH_URL; serve and exec ignore it",
        "MYNAH_CONTROL_PORT": "the port of the control API on this machine",
        "MYNAH_CONTROL_TOKEN": "the token of --control-token",
        "MYNAH_CONTROL_TOKEN_FILE": "a file with that token",
        "MYNAH_APNS_HOST": "where mynah send pushes to; set by mynah exec",
        "MYNAH_APNS_PORT": "its port; set by mynah exec",
        "MYNAH_CA_FILE": "the CA that mynah send trusts; set by mynah exec",
        "MYNAH_KEY_FILE": "the key that signs provider tokens; set by mynah exec",
        "MYNAH_KEY_ID": "its key id; set by mynah exec",
        "MYNAH_TEAM_ID": "its team; set by mynah exec",
        "MYNAH_BINARY": "the program that the Python package starts",
        "MYNAH_CONFIG": "the file of --config",
        "MYNAH_DEFAULTS": "a file like it with defaults, which all others override",
        "XDG_RUNTIME_DIR": "where running servers are registered",
        "NO_COLOR": "if it is set, output has no colours",
        "GITHUB_ACTIONS": "if it is set, mynah expect writes annotations",
        "GITHUB_STEP_SUMMARY": "the file to which they add a summary",
        "NOTIFY_SOCKET": "the socket of the service manager, which serve notifies",
    ]

    private static var environmentText: String {
        """
        Variables of commands:

        \(table(variables))

        Each setting of mynah serve but --ready-file is a variable too: --control-port
        is MYNAH_CONTROL_PORT. Lists have commas, booleans are 1 true yes 0 false no.

        Read on in the documentation: Settings.
        """
    }

    private static var filesText: String {
        let files: KeyValuePairs = [
            "./certs": "CA, server certificate, provider certificates and the key, unless --state-dir names another "
                + "folder",
            "./mynah.yaml": "settings of the server, unless --config names another file",
            "$XDG_RUNTIME_DIR/mynah": "running servers of this user, where commands find them; without the variable "
                + "/tmp/mynah-UID/mynah",
            "/etc/mynah/mynah.yaml": "settings of the service that the Debian package installs",
            "/var/lib/mynah": "CA, certificates and keys of that service",
            "/run/mynah": "what a provider needs of it: ca.pem, ca-bundle.pem, the key, ready.json",
        ]
        return """
            \(table(files))

            --ready-file, --export-dir and --fixtures name further files: see mynah serve
            --help.

            Read on in the documentation: Start with fixtures, Install the Debian
            package.
            """
    }

    private static func table(_ rows: KeyValuePairs<String, String>) -> String {
        rows.flatMap { name, text in
            ["  " + name] + TextTable.wrapped(text.split(separator: " "), indent: 6, width: 79)
        }.joined(separator: "\n")
    }
}
