/// The options of `curl`, as its manual has them.
enum CurlOptions {
    /// Options whose values are sent.
    static let ofData: Set<String> = [
        "-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--json", "-T", "--upload-file",
    ]
    /// Flags that put the data into the URL.
    static let ofQuery: Set<String> = ["-G", "--get"]
    private static let ofUpload: Set<String> = ["-T", "--upload-file"]
    private static let ofHead: Set<String> = ["-I", "--head"]
    /// Options whose values are sent in a form that `curl` makes.
    private static let ofForms: Set<String> = ["--data-urlencode", "-F", "--form", "--form-string"]
    /// Options with a value that are read, besides those of data.
    private static let others: Set<String> = [
        "-X", "--request", "-H", "--header", "-A", "--user-agent", "--url", "--url-query", "-K", "--config",
        "--proto-default",
    ]
    /// Options with a value that say nothing of the request.
    private static let ignored = """
        -b -C -c -D -E -e -m -o -P -Q -r -t -U -u -w -x -Y -y -z --abstract-unix-socket --alt-svc
        --aws-sigv4 --cacert --capath --cert --cert-type --ciphers --connect-timeout --connect-to
        --continue-at --cookie --cookie-jar --create-file-mode --crlfile --curves --delegation
        --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --dump-header --ech
        --egd-file --engine --etag-compare --etag-save --expect100-timeout --ftp-account
        --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms
        --haproxy-clientip --hostpubmd5 --hostpubsha256 --hsts --interface --ip-tos --ipfs-gateway
        --keepalive-cnt --keepalive-time --key --key-type --knownhosts --krb --libcurl --limit-rate --local-port
        --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --max-time
        --netrc-file --noproxy --oauth2-bearer --output --output-dir --parallel-max --parallel-max-host --pass
        --pinnedpubkey --preproxy --proto --proto-redir --proxy --proxy-cacert --proxy-capath --proxy-cert
        --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type
        --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype
        --proxy-tlspassword --proxy-tlsuser --proxy-user --proxy1.0 --pubkey --quote --random-file --range
        --rate --referer --request-target --resolve --retry --retry-delay --retry-max-time --sasl-authzid
        --service-name --sigalgs --socks4 --socks4a --socks5 --socks5-gssapi-service --socks5-hostname
        --speed-limit --speed-time --ssl-sessions --stderr --telnet-option --tftp-blksize --time-cond --tls-max
        --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace --trace-ascii --trace-config
        --unix-socket --upload-flags --user --variable --vlan-priority --write-out
        """
    /// Options without a value.
    private static let switches = """
        -# -0 -1 -2 -3 -4 -6 -: -a -B -f -G -g -h -I -i -J -j -k -L -l -M -N -n -O -p -q -R -S -s -V -v -Z
        --alpn --anyauth --append --basic --buffer --ca-native --cert-status --clobber --compressed --compressed-ssh
        --create-dirs --crlf --digest --disable --disable-eprt --disable-epsv --disallow-username-in-url
        --doh-cert-status --doh-insecure --dump-ca-embed --eprt --epsv --fail --fail-early --fail-with-body
        --false-start --follow --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip
        --ftp-ssl --ftp-ssl-ccc --ftp-ssl-control --ftp-ssl-reqd --get --globoff --haproxy-protocol --head --help
        --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length
        --include --insecure --ipv4 --ipv6 --junk-session-cookies --keepalive --list-only --location
        --location-trusted --mail-rcpt-allowfails --manual --metalink --mptcp --negotiate --netrc --netrc-optional
        --next --npn --ntlm --ntlm-wb --out-null --parallel --parallel-immediate --path-as-is --post301 --post302
        --post303 --progress-bar --progress-meter --proxy-anyauth --proxy-basic --proxy-ca-native --proxy-digest
        --proxy-http2 --proxy-http3 --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast
        --proxy-ssl-auto-client-cert --proxy-tlsv1 --proxytunnel --raw --remote-header-name --remote-name
        --remote-name-all --remote-time --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir
        --sessionid --show-error --show-headers --silent --skip-existing --socks5-basic --socks5-gssapi
        --socks5-gssapi-nec --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd
        --ssl-revoke-best-effort --sslv2 --sslv3 --styled-output --suppress-connect-headers --tcp-fastopen
        --tcp-nodelay --tftp-no-options --tls-earlydata --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3
        --tr-encoding --trace-ids --trace-time --use-ascii --verbose --version --xattr
        """
    private static let valued = names(in: ignored).union(ofData).union(ofForms).union(others)
    private static let flags = names(in: switches)

    private static func names(in list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The flags in a word, and its option that takes a value, with that if it is in the same word, as in `-HTTL:0` and
    /// `-vXPOST`.
    static func read(
        _ word: String
    ) throws(CommandFailure) -> (flags: [String], valued: (option: String, joined: String?)?) {
        guard !word.hasPrefix("--") else {
            if valued.contains(word) { return ([], (word, nil)) }
            // Each flag can be taken back.
            guard flags.contains(word) || word.hasPrefix("--no-") && flags.contains("--\(word.dropFirst(5))") else {
                throw unknown(word)
            }
            return ([word], nil)
        }
        let letters = word.dropFirst()
        let place = letters.firstIndex { valued.contains("-\($0)") }
        let found = letters[..<(place ?? letters.endIndex)].map { "-\($0)" }
        if let other = found.first(where: { !flags.contains($0) }) { throw unknown(other) }
        guard let place else { return (found, nil) }
        let rest = letters[letters.index(after: place)...]
        return (found, ("-\(letters[place])", rest.isEmpty ? nil : String(rest)))
    }

    private static func unknown(_ word: String) -> CommandFailure {
        let name = word.prefix { $0 != "=" }
        guard name.endIndex < word.endIndex, valued.contains(String(name)) else {
            return CommandFailure(
                .usage, "the option \(word) of the curl command is unknown: expected one in curl's manual")
        }
        return CommandFailure(
            .usage, "the option \(name)=… of the curl command is unknown to curl: expected a blank in place of =")
    }

    /// The method of a command with these options and no `-X`; `nil` if they don't say.
    static func method(_ options: Set<String>) -> String? {
        if !options.isDisjoint(with: ofHead) { return "HEAD" }
        if !options.isDisjoint(with: ofQuery) { return "GET" }
        if !options.isDisjoint(with: ofUpload) { return "PUT" }
        return options.isDisjoint(with: ofData.union(ofForms)) ? nil : "POST"
    }
}
