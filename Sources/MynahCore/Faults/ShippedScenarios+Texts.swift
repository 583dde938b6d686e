extension ShippedScenarios {
    /// The files of `fixtures/scenarios` as JSON; a test compares both.
    static let texts: [(name: String, json: String)] = [
        (
            "certificate-rejected",
            #"""
            {"name":"certificate-rejected","description":"The provider's certificate has expired: the server says \#
            so by a TLS alert, which with TLS 1.3 comes when the provider already believes itself connected, so \#
            that it looks like a broken network. A good provider reads the alert when its first request fails, \#
            tells an expired certificate from a lost connection, stops connecting again and again, and raises an \#
            alarm with the certificate's name and date; it knew the date for a year, and warned weeks before.",\#
            "steps":[{"add":[{"id":"expired","match":{"event":"handshake"},"action":{"type":"tls",\#
            "alert":"certificate_expired","when":"afterHandshake"}}]},{"after":"10m","remove":["expired"],\#
            "add":[{"id":"unknown","match":{"event":"handshake"},"action":{"type":"tls","alert":"unknown_ca"}}]},\#
            {"after":"20m","remove":["unknown"]}]}
            """#
        ),
        (
            "errors-until-reconnect",
            #"""
            {"name":"errors-until-reconnect","description":"From its tenth push on the first connection answers \#
            nothing but 500 InternalServerError, and would do so for ever; any other connection is well. A good \#
            provider repeats a push that was answered 500 after a pause, and closes a connection on which every \#
            answer is one, since the fault may lie in the server behind it. One that keeps its only connection had \#
            to be restarted by hand.","steps":[{"add":[{"id":"broken-server","match":{"connection":1},"skip":9,\#
            "action":{"type":"respond","status":500,"reason":"InternalServerError"}}]}]}
            """#
        ),
        (
            "expired-credentials-at-noon",
            #"""
            {"name":"expired-credentials-at-noon","description":"Start it with the clock at midnight. At noon the \#
            credentials are no good any more: all pushes are answered 403 ExpiredProviderToken, and an hour later, \#
            as if the key had been revoked, InvalidProviderToken. A good provider makes a new token for the first, \#
            once, and repeats the push; that it is refused all the same tells it that something else is wrong. At \#
            InvalidProviderToken it stops, keeps what is to be sent, and raises an alarm that names key and team. \#
            It does not throw the pushes away, and does not delete any device token because of a 403.",\#
            "steps":[{"after":"12h","add":[{"id":"expired","action":{"type":"respond","status":403,\#
            "reason":"ExpiredProviderToken"}}]},{"after":"13h","remove":["expired"],"add":[{"id":"invalid",\#
            "action":{"type":"respond","status":403,"reason":"InvalidProviderToken"}}]},{"after":"14h",\#
            "remove":["invalid"]}]}
            """#
        ),
        (
            "flaky-network",
            #"""
            {"name":"flaky-network","description":"Between provider and APNs something drops what it likes: now and \#
            then a stream is reset, a connection is reset, an answer comes seconds late, and one comes never. A \#
            good provider has a time limit for every request, repeats what was reset before an answer came with the \#
            same apns-id, and treats a dead connection as the end of all its open streams. It counts what it could \#
            not send and says so. It does not wait for ever, and it does not take the first reset for the end of \#
            the service.","seed":20260403,"steps":[{"add":[{"id":"late","probability":0.2,"action":{"type":"pass",\#
            "delay":{"normal":["800ms","300ms"]}}},{"id":"stream-reset","probability":0.03,\#
            "action":{"type":"resetStream","code":"INTERNAL_ERROR"}},{"id":"delivered-and-reset","probability":0.01,\#
            "action":{"type":"resetStream","code":"CANCEL","deliver":true}},{"id":"connection-reset",\#
            "probability":0.005,"action":{"type":"close","how":"rst"}},{"id":"never","probability":0.005,\#
            "action":{"type":"stall"}}]}]}
            """#
        ),
        (
            "goaway-oddities",
            #"""
            {"name":"goaway-oddities","description":"The forms of GOAWAY that APNs has sent beside the plain one: \#
            two frames of which the second is empty, a protocol error with the words of the HTTP/2 library in place \#
            of JSON, and one that stays open and answers nothing more. A good provider takes the first frame's \#
            reason and is not confused by the second, does not expect JSON in the debug data, logs it, and in every \#
            case opens a new connection; from one that should have closed and did not it walks away after a time \#
            limit.","steps":[{"add":[{"id":"twice","every":100,"action":{"type":"goaway",\#
            "reason":"BadCertificateEnvironment","frames":2}}]},{"after":{"pushes":1000},"remove":["twice"],\#
            "add":[{"id":"no-such-stream","every":100,"action":{"type":"goaway","code":"PROTOCOL_ERROR",\#
            "debug":"Stream 5 does not exist","close":"now"}}]},{"after":{"pushes":2000},\#
            "remove":["no-such-stream"],"add":[{"id":"lingering","every":100,"action":{"type":"goaway",\#
            "reason":"Shutdown","close":"never"}}]},{"after":{"pushes":3000},"remove":["lingering"]}]}
            """#
        ),
        (
            "goaway-under-load",
            #"""
            {"name":"goaway-under-load","description":"Every thousandth push ends its connection by a GOAWAY that \#
            calls streams unprocessed which were on their way, first in one step, later announced and then cut. A \#
            good provider sends every request above the last stream id again on a new connection, with the same \#
            apns-id, waits for the answers of those below it, and does not count the refused ones as failures. At a \#
            GOAWAY one push in a hundred was lost by clients that did not. What was called unprocessed may have \#
            been delivered: the same apns-id and a collapse id keep the user from seeing it twice.",\#
            "steps":[{"add":[{"id":"cut","every":1000,"action":{"type":"goaway","reason":"Shutdown",\#
            "lastStreamId":"lower"}}]},{"after":{"pushes":10000},"remove":["cut"],"add":[{"id":"announced",\#
            "every":1000,"action":{"type":"goaway","reason":"Shutdown","lastStreamId":"lower","twoStep":true}}]},\#
            {"after":{"pushes":20000},"remove":["announced"],"add":[{"id":"denied-and-delivered","every":1000,\#
            "action":{"type":"goaway","reason":"Shutdown","lastStreamId":"lower","deliver":true}}]}]}
            """#
        ),
        (
            "half-open",
            #"""
            {"name":"half-open","description":"A connection that was idle for a quarter of an hour is dead, and \#
            nobody says so: whatever is sent on it vanishes, as behind a NAT or a firewall that forgot it, and \#
            PINGs are not answered either. A good provider sends a PING now and then on an idle connection, takes \#
            the missing answer within seconds for the end, and sends what was open again on a new connection. One \#
            without PING and without time limit learns of it when TCP gives up, a quarter of an hour later.",\#
            "steps":[{"add":[{"id":"dead-after-idling","match":{"event":"handshake"},"action":{"type":"close",\#
            "how":"halfOpen","afterIdle":"15m"}}]},{"after":"1h","remove":["dead-after-idling"],"add":[{"id":"deaf",\#
            "match":{"event":"handshake"},"action":{"type":"ignorePing"}}]},{"after":"2h","remove":["deaf"]}]}
            """#
        ),
        (
            "handshake-trouble",
            #"""
            {"name":"handshake-trouble","description":"Handshakes stall, later they are slow, and last a proxy on \#
            the way resets connections while they are made. A good provider has a time limit for the handshake too, \#
            of some seconds, tries again with growing pauses, and opens no second storm of connections beside the \#
            first. When the way is free again it recovers by itself; one that marks the connection as opening, and \#
            forgets it, never does.","seed":20170808,"steps":[{"add":[{"id":"stalled","match":{"event":"handshake"},\#
            "probability":0.5,"action":{"type":"tls","stall":true}}]},{"after":"1m","remove":["stalled"],\#
            "add":[{"id":"slow","match":{"event":"handshake"},"action":{"type":"tls","slow":"8s"}}]},{"after":"2m",\#
            "remove":["slow"],"add":[{"id":"reset","match":{"event":"handshake"},"action":{"type":"close",\#
            "how":"rst"}}]},{"after":"3m","remove":["reset"]}]}
            """#
        ),
        (
            "late-deliveries",
            #"""
            {"name":"late-deliveries","description":"Every push is answered 200 at once, and the device gets some \#
            of them minutes later, one in fifty twice, and one in a hundred never. A good provider knows that 200 \#
            means accepted, not delivered: what must not come late has an expiration, what replaces something else \#
            has a collapse id, what must not be shown twice can be told by the app, and what must arrive is fetched \#
            by the app, for which the push is only the bell.","seed":20240801,"steps":[{"add":[{"id":"late",\#
            "probability":0.3,"action":{"type":"deliverLate","by":"5m"}},{"id":"twice","probability":0.02,\#
            "action":{"type":"duplicate","times":2}},{"id":"never","probability":0.01,"action":{"type":"lose"}}]}]}
            """#
        ),
        (
            "maintenance-shutdown",
            #"""
            {"name":"maintenance-shutdown","description":"The servers are restarted: every connection gets a \#
            graceful GOAWAY with the reason Shutdown at its next push, new connections are refused for a quarter of \#
            a minute, and then all is well again. A good provider finishes the streams that are open, sends no \#
            further request on the old connection, resolves the host anew, and tries to connect again with growing \#
            pauses in place of a storm. Nothing is lost and nothing is sent twice. One that goes on using the old \#
            connection waits for ever: that was an outage of six hours once.","steps":[{"add":[{"id":"shutdown",\#
            "action":{"type":"goaway","reason":"Shutdown","twoStep":true}},{"id":"restarting",\#
            "match":{"event":"accept"},"action":{"type":"refuse"}}]},{"after":"15s","remove":["restarting",\#
            "shutdown"]}]}
            """#
        ),
        (
            "provider-token-updates-somewhere",
            #"""
            {"name":"provider-token-updates-somewhere","description":"Some servers of APNs take every provider \#
            token for a change too many, others are well, as in October 2017: every third connection answers 429 \#
            TooManyProviderTokenUpdates to half of its pushes. A good provider does not make a new token because of \#
            it, which would be the very fault it is told of. It waits, keeps its token, closes a connection that \#
            goes on like this, and opens another, which may lead to a server that is well.","seed":20171019,\#
            "steps":[{"add":[{"id":"confused-servers","match":{"connection":[2,5,8,11,14,17,20]},"probability":0.5,\#
            "action":{"type":"respond","status":429,"reason":"TooManyProviderTokenUpdates"}}]},{"after":"10m",\#
            "remove":["confused-servers"]}]}
            """#
        ),
        (
            "root-change",
            #"""
            {"name":"root-change","description":"The servers' certificates come from a root that the provider does \#
            not know, in the sandbox first and in production weeks later, as in 2021 and 2025. Advance the clock to \#
            see it. A good provider runs against the sandbox every day, so that it fails there first, says in plain \#
            words that the server's certificate is not trusted, and takes the roots from the system or from a file \#
            that can be changed without a new release. It never turns verification off.",\#
            "steps":[{"add":[{"id":"sandbox","match":{"event":"handshake","environment":"sandbox"},\#
            "action":{"type":"tls","certificate":"untrusted"}}]},{"after":"29d","add":[{"id":"production",\#
            "match":{"event":"handshake","environment":"production"},"action":{"type":"tls",\#
            "certificate":"untrusted"}}]},{"after":"30d","remove":["sandbox","production"]}]}
            """#
        ),
        (
            "sandbox-down",
            #"""
            {"name":"sandbox-down","description":"The sandbox refuses connections for an hour, production is well, \#
            as in September 2017. It needs ports that are bound to an environment, since a connection that is \#
            refused has not named a host. A good provider keeps the two services apart: pushes for production go on \#
            at their usual speed, those for the sandbox wait or expire, and the alarm says which of the two is \#
            down.","steps":[{"add":[{"id":"sandbox","match":{"event":"accept","environment":"sandbox"},\#
            "action":{"type":"refuse"}}]},{"after":"1h","remove":["sandbox"]}]}
            """#
        ),
        (
            "sandbox-mix-up",
            #"""
            {"name":"sandbox-mix-up","description":"Tokens of development builds are sent to production: every \#
            device token that begins with 0 to 4 is answered 400 BadDeviceToken, and later every key turns out to \#
            be one of the other environment. A good provider stores with each token the environment that the app \#
            was built for, and takes BadDeviceToken for what it mostly is, a token in the wrong place: it marks the \#
            token, does not repeat the push, and reports how many there are. BadEnvironmentKeyInToken concerns all \#
            pushes and no device: it stops and says which key is bound to which environment.",\#
            "steps":[{"add":[{"id":"other-environment","match":{"token":{"regex":"^[0-4]"}},\#
            "action":{"type":"respond","status":400,"reason":"BadDeviceToken"}}]},{"after":"10m",\#
            "remove":["other-environment"],"add":[{"id":"other-key","action":{"type":"respond","status":403,\#
            "reason":"BadEnvironmentKeyInToken"}}]},{"after":"20m","remove":["other-key"]}]}
            """#
        ),
        (
            "slow-death",
            #"""
            {"name":"slow-death","description":"APNs becomes slower and slower, then answers 503 ServiceUnavailable,\#
             then nothing, and at last the connections break. A good provider notices the growing latency before \#
            the time-outs, keeps the number of open requests bounded, so that its own memory does not grow with the \#
            queue, and gives up on a request after its time limit. It holds pushes that will be worth something \#
            later and lets those expire that will not, and comes back gently: 5xx may be tried again after some \#
            minutes, with growing pauses and some chance in them.","seed":20180228,"steps":[{"add":[{"id":"slow",\#
            "action":{"type":"pass","delay":{"uniform":["200ms","1s"]}}}]},{"after":"1m","remove":["slow"],\#
            "add":[{"id":"slower","action":{"type":"pass","delay":{"uniform":["2s","10s"]}}}]},{"after":"3m",\#
            "remove":["slower"],"add":[{"id":"unavailable","probability":0.7,"action":{"type":"respond",\#
            "status":503,"reason":"ServiceUnavailable"}}]},{"after":"5m","remove":["unavailable"],\#
            "add":[{"id":"silent","action":{"type":"stall"}}]},{"after":"6m","remove":["silent"],\#
            "add":[{"id":"broken","action":{"type":"close","how":"rst"}}]},{"after":"8m","remove":["broken"]}]}
            """#
        ),
        (
            "sporadic-invalid-token",
            #"""
            {"name":"sporadic-invalid-token","description":"One push in a hundred is answered 403 \#
            InvalidProviderToken although its token is good and the next push with the same one is accepted. A good \#
            provider repeats such a push once, with the same token or a new one at most every twenty minutes, and \#
            raises an alarm only when such answers become many. It does not stop sending at the first.",\#
            "seed":20200115,"steps":[{"add":[{"id":"sporadic","probability":0.01,"action":{"type":"respond",\#
            "status":403,"reason":"InvalidProviderToken"}}]}]}
            """#
        ),
        (
            "stream-limit-at-the-start",
            #"""
            {"name":"stream-limit-at-the-start","description":"First every connection is told a limit of 1000 \#
            streams, far beyond what clients allow themselves; then, after a hundred pushes, connections get no \#
            SETTINGS frame at all. A good provider uses the smaller of its own limit and the server's and never \#
            waits for a slot that its own bookkeeping has lost. Without SETTINGS it gives up on the connection \#
            after a time limit in place of waiting for a frame that does not come.",\#
            "steps":[{"add":[{"id":"thousand","match":{"event":"handshake"},"action":{"type":"settings",\#
            "maxConcurrentStreams":1000}}]},{"after":{"pushes":100},"remove":["thousand"],\#
            "add":[{"id":"no-settings","match":{"event":"handshake"},"action":{"type":"settings",\#
            "withhold":true}}]},{"after":{"pushes":200},"remove":["no-settings"]}]}
            """#
        ),
        (
            "stream-limit-collapse",
            #"""
            {"name":"stream-limit-collapse","description":"Now and then the limit of open streams falls to 1, \#
            streams beyond it are refused, and a connection that does not heed it is ended by GOAWAY with \#
            REFUSED_STREAM and the words of the HTTP/2 library, as in 2016. A good provider follows every SETTINGS \#
            frame at once, queues what does not fit, sends again what was refused, which was not processed, and \#
            opens further connections when one is not enough. One that takes the limit of the first SETTINGS frame \#
            for good loses pushes; one that waits for a slot on a single connection needs minutes.",\#
            "steps":[{"add":[{"id":"to-one","every":50,"action":{"type":"settings","maxConcurrentStreams":1}},\#
            {"id":"beyond-the-limit","every":20,"action":{"type":"resetStream","code":"REFUSED_STREAM"}}]},\#
            {"after":"1m","add":[{"id":"violated","every":200,"action":{"type":"goaway","code":"REFUSED_STREAM",\#
            "debug":"Maximum active streams violated for this endpoint.","lastStreamId":"lower","close":"now"}}]},\#
            {"after":"2m","remove":["to-one","beyond-the-limit","violated"],"add":[{"id":"back","times":20,\#
            "action":{"type":"settings","maxConcurrentStreams":1000}}]}]}
            """#
        ),
        (
            "throttling-storm",
            #"""
            {"name":"throttling-storm","description":"APNs throttles: more than five pushes a second to one device \#
            are answered 429 TooManyRequests, and for a while every connection that renews its provider token is \#
            told TooManyProviderTokenUpdates. A good provider spaces the pushes to a device and collapses those \#
            that replace each other, waits before it repeats one, and repeats each a few times at most. It renews \#
            its token no more than every twenty minutes and shares it among all connections and processes. It does \#
            not answer throttling by sending faster.","steps":[{"add":[{"id":"per-device","rateOver":{"count":5,\#
            "per":"1s","by":"token"},"action":{"type":"respond","status":429,"reason":"TooManyRequests"}}]},\#
            {"after":"1m","add":[{"id":"token-updates","times":50,"every":3,"action":{"type":"respond","status":429,\#
            "reason":"TooManyProviderTokenUpdates"}}]},{"after":"3m","remove":["token-updates"]}]}
            """#
        ),
        (
            "token-purge-day",
            #"""
            {"name":"token-purge-day","description":"One push in twenty is answered 410 Unregistered, with a \#
            timestamp of months ago, as on the days on which APNs tidies up. A good provider stops sending to such \#
            a token at once, but only when the timestamp is later than the moment at which the app last registered \#
            it; otherwise the token is a living one, and deleting it loses the user. It never repeats the push. \#
            When far more tokens than usual are answered so, it holds the deletion back and asks somebody.",\#
            "seed":20250714,"steps":[{"add":[{"id":"purge","probability":0.05,"action":{"type":"respond",\#
            "status":410,"reason":"Unregistered","timestamp":1735689600000}}]}]}
            """#
        ),
        (
            "unanswered-requests",
            #"""
            {"name":"unanswered-requests","description":"Some requests are never answered, at first here and there, \#
            then all of some connections, as from September 2020 on at some of APNs' addresses. A good provider has \#
            a time limit for each request, counts the silent ones by connection, and leaves a connection that \#
            answers none of them for a new one with the host resolved anew. It knows that the unanswered push may \#
            have been delivered, and repeats it with the same apns-id. One without a time limit leaks a stream for \#
            each, until the connection's limit is used up and nothing is sent any more.","seed":20200919,\#
            "steps":[{"add":[{"id":"some","probability":0.02,"action":{"type":"stall"}},{"id":"some-delivered",\#
            "probability":0.02,"action":{"type":"stall","deliver":true}}]},{"after":"5m","remove":["some",\#
            "some-delivered"],"add":[{"id":"whole-connections","match":{"connection":[1,3,5,7,9]},\#
            "action":{"type":"stall"}}]},{"after":"10m","remove":["whole-connections"]}]}
            """#
        ),
        (
            "unreachable-at-start",
            #"""
            {"name":"unreachable-at-start","description":"Whoever starts now finds APNs refusing connections, and \#
            half a minute later all is well. A good provider starts all the same, reports itself as not ready, \#
            takes orders for pushes up to a bound, and connects when it can, with growing pauses. One that exits \#
            when its first connection fails takes the rest of the application down with it.",\#
            "steps":[{"add":[{"id":"unreachable","match":{"event":"accept"},"action":{"type":"refuse"}}]},\#
            {"after":"30s","remove":["unreachable"]}]}
            """#
        ),
        (
            "unregistered-once",
            #"""
            {"name":"unregistered-once","description":"A living token is answered 410 Unregistered once, and 200 \#
            from then on, as iOS 10 had it. The timestamp is old. A good provider compares it with the time of the \#
            app's last registration, finds that the app registered later, and keeps the token; it does not delete \#
            on the word of one answer what the app would have to bring back.","steps":[{"add":[{"id":"once",\#
            "actions":[{"type":"respond","status":410,"reason":"Unregistered","timestamp":1735689600000}],\#
            "then":"pass"}]}]}
            """#
        ),
    ]
}
