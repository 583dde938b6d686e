/// The script with which a shell asks this program for completions, so that all shells complete the same.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        let request = CompletionsCommand.request
        return switch self {
        case .bash:
            #"""
            # Completions of mynah for bash: source <(mynah completions bash)
            _mynah() {
                local line=${COMP_LINE:0:COMP_POINT} value
                local -a words
                read -r -a words <<<"$line"
                [[ $line == *[[:space:]] ]] && words+=("")
                # bash completes only what follows the last of these characters.
                local current=${words[${#words[@]}-1]}
                local cut=${current%"${current##*[:=]}"}
                COMPREPLY=()
                while IFS= read -r value; do
                    case $value in
                        :files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "${current#"$cut"}") ;;
                        :folders) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${current#"$cut"}") ;;
                        *[:=]) compopt -o nospace; COMPREPLY+=("${value#"$cut"}") ;;
                        ?*) COMPREPLY+=("${value#"$cut"}") ;;
                    esac
                done < <("${1/#\~/$HOME}" \#(request) "${words[@]:1}" 2>/dev/null)
            }
            complete -F _mynah mynah
            """#
        case .zsh:
            #"""
            #compdef mynah
            # Completions of mynah for zsh: source <(mynah completions zsh)
            _mynah() {
                local value
                local -a whole open
                for value in "${(@f)$("${(Q)words[1]/#\~/$HOME}" \#(request) "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
                    case $value in
                        :files) compset -P '*='; _files ;;
                        :folders) compset -P '*='; _files -/ ;;
                        *[:=]) open+=("$value") ;;
                        ?*) whole+=("$value") ;;
                    esac
                done
                (( $#whole )) && compadd -- "${whole[@]}"
                (( $#open )) && compadd -S '' -- "${open[@]}"
            }
            if [ "${funcstack[1]}" = _mynah ]; then _mynah "$@"; else compdef _mynah mynah; fi
            """#
        case .fish:
            #"""
            # Completions of mynah for fish: mynah completions fish | source
            function __mynah_complete
                set -l words (commandline -opc)
                for value in (command $words[1] \#(request) $words[2..] (commandline -ct) 2>/dev/null)
                    switch $value
                        case ':files'
                            __fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct))
                        case ':folders'
                            __fish_complete_directories (string replace -r '^--[^=]*=' '' -- (commandline -ct))
                        case '*'
                            echo $value
                    end
                end
            end
            complete -c mynah -f -a '(__mynah_complete)'
            """#
        }
    }
}
