public import APNsRules
public import MynahCore
package import MynahStore

/// The settings of a server: the flags of `mynah serve` that concern the push side (`ControlAPI#Command-line`).
public struct Settings: Sendable {
    /// A TLS port and the environment it is bound to, if any.
    public struct PortBinding: Hashable, Sendable {
        /// The port's number; 0 chooses a free port.
        public var port: Int
        /// The environment of the port's connections; `nil` for the environment of the server name, else the server's.
        public var environment: APNsEnvironment?

        /// A port, bound to an environment or not.
        public init(port: Int, environment: APNsEnvironment? = nil) {
            self.port = port
            self.environment = environment
        }
    }

    /// How provider tokens are judged.
    public enum Authentication: String, CaseIterable, Sendable {
        /// The signature must be valid, by a known key of the token's team.
        case strict
        /// A well-formed ES256 token of any key passes.
        case structural
    }

    /// What happens to a push to an unknown device token.
    public enum DevicePolicy: String, CaseIterable, Sendable {
        /// A push to an unknown token creates a device.
        case open
        /// BadDeviceToken.
        case strict
    }

    /// Which failures an answered push survives in a data folder.
    public enum Sync: String, CaseIterable, Sendable {
        /// The end of the process, and of the machine's power: each answer waits for the disk.
        case full
        /// The end of the process; a power cut may take back what was answered last.
        case normal
    }

    /// How much of a run its data folder keeps.
    public enum Keep: String, CaseIterable, Sendable {
        /// What happened since the oldest push of the journal.
        case journal
        /// Keeps everything since the start.
        case all
    }

    /// The streams that a connection may have open, before and after its first accepted push.
    public typealias StreamLimits = ConnectionStreamLimits
    /// The most connections of one address, or pushes to one device token, within a time.
    public typealias RateLimit = MynahCore.RateLimit

    /// `--host`: what the listeners bind; `localhost` is 127.0.0.1 and ::1.
    public var host = "localhost"
    /// `--port`: APNs over TLS.
    public var ports = [PortBinding(port: Settings.usualPort)]
    /// `--channels-port`: channel management over TLS; empty is off; `nil` is 2196 for production and 2195 for the sandbox
    /// if ``ports`` has 2197, as far as they are free, else off.
    public var channelsPorts: [PortBinding]?
    /// `--web-push-port`: web pushes over TLS, by HTTP/2 or HTTP/1.1; `nil` is off.
    ///
    /// Whatever it is, a connection with the server name web.push.apple.com is for web pushes.
    public var webPushPort: Int?
    /// The host in the endpoints of web pushes; `nil` for that by which clients on this machine reach ``host``.
    public var webPushHost: String?
    /// `--cleartext-port`: pushes, broadcasts and channel management without TLS; `nil` is off.
    public var cleartextPort: Int?
    /// `--proxy-port`: an HTTP CONNECT proxy that routes Apple's names to this server; `nil` is off.
    public var proxyPort: Int?
    /// `--state-dir`: CA, certificates and keys; `nil` keeps them in memory.
    public var stateDirectory: String? = "./certs"
    /// `--data`: the folder in which a run is kept, so that it survives the end of the process; `nil` keeps it in memory.
    public var dataDirectory: String?
    /// `--sync`: which failures an answered push survives, with ``dataDirectory``.
    public var sync = Sync.full
    /// `--keep`: how much of the run stays in ``dataDirectory``.
    public var keep = Keep.journal
    /// `--leave-out`: changes of the run that a start can't apply, and that it goes on without.
    package var leftOut: [ReplayMark.Place] = []
    /// The cluster that the server joins, in place of a run of its own.
    package var cluster = ClusterSettings()
    /// How many bytes of changes are kept since the last snapshot, at least, before another one is worth its writing.
    package var snapshotBytesMin = 128 << 20
    /// `--export-dir`: a folder for trust material that another container reads; `nil` is off.
    public var exportDirectory: String?
    /// `--tls-name`: further names in the server's certificate.
    public var tlsNames: [String] = []
    /// `--environment`: the environment if neither port nor server name determines it; also the environment of devices
    /// and channels that name none.
    public var environment = APNsEnvironment.sandbox
    /// `--auth`.
    public var authentication = Authentication.strict
    /// `--auth-key`: paths of `AuthKey_<KEYID>.p8` files; empty: one is generated.
    public var authKeyFiles: [String] = []
    /// `--provider-ca`: paths of further CAs of provider certificates, PEM.
    public var providerCAFiles: [String] = []
    /// `--team-id`: the team of those keys, or of the generated one.
    public var teamID: String?
    /// Further signing keys, from `--fixtures` and `--config`; taken all or none.
    public var keys: [NewKey] = []
    /// `--devices`.
    public var devices = DevicePolicy.open
    /// `--unregister-delay`: how long after an app's removal APNs answers 410; in a range, the seed decides
    /// (`ProviderAPI#Storage-and-throttling`).
    public var unregisterDelay: ClosedRange<Duration> = .zero ... .zero
    /// `--background-budget`: background pushes that an app gets within an hour, Apple's figure being 3; `nil` is off
    /// (`DeviceBehaviour#From-APNs-to-the-device`).
    public var backgroundBudget: Int?
    /// `--activity-budget`: pushes of priority 10 that the Live Activities of an app get within an hour, unless it has
    /// `frequentUpdates`; `nil` is off (`DeviceBehaviour#Live-Activities`).
    public var activityBudget: Int?
    /// `--deferral-max`: how long power may hold back a push with priority 5; `nil` for no limit
    /// (`DeviceBehaviour#From-APNs-to-the-device`; inferred).
    public var deferralMax: Duration?
    /// `--issued-token-length`: bytes of the device tokens that are issued, 16 to 100; `nil`: 32, or the nearest that
    /// `--token-length` allows.
    public var issuedTokenByteCount: Int?
    /// The least longest device token, in bytes: of shorter ones there are too few to issue.
    package static let tokenBytesMaxLeast = 8
    /// `--magic-tokens`: whether magic tokens provoke their faults.
    public var hasMagicTokens = true
    /// `--retain`: entries of the journal, at most 1,000,000,000; 0 keeps counters only.
    public var retain = 100_000
    /// `--retain-bytes`: bytes of the journal.
    public var retainBytes = 256_000_000
    /// `--seed`; `nil` for a random one.
    public var seed: UInt64?
    /// `--payload-check` and the other choices of `ProviderAPI#Conflicts-and-open-questions`.
    public var rules = RuleSettings()
    /// `--stream-limits`.
    public var streamLimits = StreamLimits()
    /// `--idle-timeout`: how long of the server's clock a connection may be idle before GOAWAY IdleTimeout.
    public var idleTimeout: Duration = .seconds(3600)
    /// `--request-timeout`: how long of real time a client may take to send one request; then its stream is reset with
    /// CANCEL, or over HTTP/1.1 answered 408; Apple names no time (inferred).
    public var requestTimeout: Duration = .seconds(60)
    /// `--max-errors`: the number of refused requests, every 4xx except 410, after which a connection gets GOAWAY with
    /// the last reason; `nil` is off; Apple names neither count nor time (`ProviderAPI#GOAWAY`; inferred).
    public var maxErrors: Int?
    /// `--reconnect-limit`: connections of one address beyond it are reset; `nil` is off.
    public var reconnectLimit: RateLimit?
    /// `--request-limit`: pushes to one device token beyond it are TooManyRequests; `nil` is off; Apple names neither
    /// count nor time (`ProviderAPI#Request-rates`; inferred).
    public var requestLimit: RateLimit?
    /// `--shutdown-grace`: how long open streams may take after GOAWAY.
    public var shutdownGrace: Duration = .seconds(2)
    /// How long a TLS handshake may take before the connection is closed, or in cleartext the first bytes, and the head of a
    /// request to the proxy.
    ///
    /// As long as a busy machine may keep a client from its processor.
    public var handshakeTimeout: Duration = .seconds(60)
    /// Finds the owner of a port that is taken.
    package var portOwner = PortOwner.Finder.none
    /// The number of event loops; `nil` for one on each core.
    public var eventLoops: Int?

    /// The defaults of `mynah serve`.
    public init() {}

    /// The environment of devices and channels that name none: ``environment``, unless every port for pushes belongs to the
    /// other one.
    package var usualEnvironment: APNsEnvironment {
        guard cleartextPort == nil, proxyPort == nil else { return environment }
        let served = Set(ports.map { $0.environment ?? environment })
        return served.count == 1 ? served.first ?? environment : environment
    }

    // The port that Apple's service has besides 443.
    private static let usualPort = 2197

    /// The ports of channel management if none are named: Apple's, beside Apple's port for pushes
    /// (`ProviderAPI#Hosts-and-ports`).
    var usualChannelsPorts: [PortBinding] {
        guard ports.contains(where: { $0.port == Settings.usualPort }) else { return [] }
        return [PortBinding(port: 2196, environment: .production), PortBinding(port: 2195, environment: .sandbox)]
    }
}
