internal import MynahSystem

/// The names in a server's certificate, and the names that its CA may sign (`ControlAPI#Certificate-names`).
package enum ServerNames {
    private static let local = [
        "localhost", "127.0.0.1", "::1", "mynah", "host.docker.internal", "host.testcontainers.internal",
    ]

    /// Apple's names, including older and broadcast ones (`ProviderAPI#Hosts-and-ports`).
    package static let apple = [
        "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
        "gateway.push.apple.com", "gateway.sandbox.push.apple.com",
        "feedback.push.apple.com", "feedback.sandbox.push.apple.com", "web.push.apple.com",
    ]

    /// Domains that each CA may sign, with their subdomains: those reserved for private use (RFC 6761, RFC 6762 and
    /// `.internal`), and Apple's push names; no leading period, which RFC 5280 §4.2.1.10 doesn't define for DNS names.
    private static let permittedDomains = ["localhost", "internal", "test", "local", "mynah", "push.apple.com"]

    /// Networks that a CA may sign: loopback, private and link-local (RFC 1122, 1918, 3927, 4193, 4291).
    private static let permittedNetworks = [
        "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0",
        "169.254.0.0/255.255.0.0", "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::", "fe80::/ffc0::",
    ]

    /// Reads the values of `--tls-name`; an error names the first invalid one.
    static func parse(_ texts: [String]) throws(TrustError) -> [CertificateName] {
        try texts.map { (text) throws(TrustError) in
            if let name = CertificateName(text) { return name }
            throw TrustError(
                .badSetting, "the TLS name \"\(text)\" is neither a DNS name nor an IP address",
                remedy: "Names look like push.example.test, *.example.test, 192.168.1.5 or fd00::5")
        }
    }

    /// The names that a server's certificate should have, each once: the local ones, the host's, Apple's and `further`.
    static func wanted(_ further: [CertificateName], host: String? = hostName) -> [CertificateName] {
        var names: [CertificateName] = []
        let usual = (local + [host].compactMap(\.self) + apple).compactMap(CertificateName.init)
        for name in usual + further where !names.contains(name) { names.append(name) }
        return names
    }

    /// The constraints of a CA in OpenSSL's configuration language: wide enough for ``wanted(_:host:)``.
    static func constraints(for further: [CertificateName], host: String? = hostName) -> String {
        var domains = permittedDomains
        var networks = permittedNetworks
        for name in [host.flatMap(CertificateName.init)].compactMap(\.self) + further {
            switch name {
            case .dns(let text):
                let domain = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
                if !domains.contains(domain) { domains.append(domain) }
            case .address(let bytes):
                let mask = CertificateName.text(of: Array(repeating: 0xFF, count: bytes.count))
                networks.append("\(name.text)/\(mask)")
            }
        }
        return (domains.map { "permitted;DNS:\($0)" } + networks.map { "permitted;IP:\($0)" }).joined(separator: ",")
    }

    /// The name of this machine or container, if it has one.
    package static var hostName: String? {
        // HOST_NAME_MAX of Linux is 64.
        text(capacity: 256) { gethostname($0, $1) == 0 }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
