import ArgumentParser
import MynahCore

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Prints the completions for a shell: bash, zsh or fish.",
        discussion: """
            They complete commands, options, their values, presets and filters, and with
            a running server also ids of devices, apps, tokens, rules, channels and keys.

              mynah completions bash > ~/.local/share/bash-completion/completions/mynah
              mynah completions zsh > "${fpath[1]}/_mynah"
              mynah completions fish > ~/.config/fish/completions/mynah.fish
            """)

    /// The first argument with which a shell asks for candidates.
    static let request = "__complete"

    @Argument(help: "\(Form.choice(CompletionScript.self).expected).", transform: Choice.read)
    var shell: CompletionScript

    func run() throws { print(shell.text) }
}
