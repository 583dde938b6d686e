<?php

declare(strict_types=1);

namespace Mynah;

/** A server, for the code under test and its tests; `Mynah::startServer` and `Mynah::connect` make one. */
final class Server
{
    use Calls\ServerCalls;

    /**
     * The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
     * (TooManyProviderTokenUpdates).
     */
    private const TOKEN_SECONDS = 50 * 60;
    /** A private key is its owner's. */
    private const KEY_MODE = 0600;

    /** The URL of the control API. */
    public readonly string $url;
    /** The host for pushes. */
    public readonly string $host;
    /** The port for pushes. */
    public readonly int $port;
    /** The URL for pushes: `https://localhost:2197`. */
    public readonly string $apnsUrl;
    /** The CA to trust, PEM. */
    public readonly string $ca;
    private readonly ?string $key;
    private readonly ?string $ownKeyId;
    private readonly ?string $ownTeamId;
    private ?string $folder = null;
    private ?string $token = null;
    private int $issuedAt = 0;

    /** @internal */
    public function __construct(
        public readonly ControlAPI $control,
        ?string $host = null,
        ?int $port = null,
        private readonly ?Child $child = null,
    ) {
        $status = $control->call('GET', '/v1/status');
        if (!is_array($status) || ($status['name'] ?? null) !== 'mynah') {
            throw new UnavailableException("the server at {$control->url} is not Mynah");
        }
        self::refuseVersion($control->url, (string) $status['version']);
        $this->url = $control->url;
        $this->host = $host ?? $control->host;
        $this->port = $port ?? $status['ports']['apns'][0];
        $name = str_contains($this->host, ':') ? "[{$this->host}]" : $this->host;
        $this->apnsUrl = "https://$name:{$this->port}";
        $credentials = $control->call('GET', '/v1/credentials');
        $this->ca = $credentials['ca'];
        $this->key = $credentials['key'];
        $this->ownKeyId = $credentials['keyId'];
        $this->ownTeamId = $credentials['teamId'];
    }

    private static function refuseVersion(string $url, string $version): void
    {
        $release = fn (string $of) => array_slice(explode('.', $of), 0, 2);
        $own = Words::VERSION;
        if ($release($version) !== $release($own)) {
            $hint = "install version $version of the package, or start mynah $own";
            $found = "the server at $url is mynah $version";
            throw new UnavailableException("$found: expected $own, as this package; $hint");
        }
    }

    /**
     * `caFile`: a file with the CA, for `CURLOPT_CAINFO`. `signingKey`: the development key that signs provider tokens,
     * PEM; `keyFile`, a file with it, `keyId`, `teamId`: errors if the server uses its user's own keys.
     */
    public function __get(string $name): string
    {
        return match ($name) {
            'caFile' => $this->files() . '/ca.pem',
            'signingKey' => $this->own($this->key),
            'keyId' => $this->own($this->ownKeyId),
            'teamId' => $this->own($this->ownTeamId),
            'keyFile' => $this->files() . '/AuthKey_' . $this->own($this->ownKeyId) . '.p8',
            default => throw new \Error("a server has no \$$name"),
        };
    }

    public function __isset(string $name): bool
    {
        return in_array($name, ['caFile', 'signingKey', 'keyId', 'teamId', 'keyFile'], true);
    }

    /**
     * Options of curl for pushes to this server: HTTP/2, and the CA to trust.
     *
     * @return array<int, mixed>
     */
    public function curlOptions(): array
    {
        return [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_CAINFO => $this->caFile];
    }

    /**
     * A provider token that the server accepts, for `authorization: bearer …`.
     *
     * It stays the same for 50 minutes of the server's clock, as APNs requires.
     */
    public function providerToken(): string
    {
        $now = $this->status()->now->getTimestamp();
        $age = $now - $this->issuedAt;
        if ($this->token === null || $age < 0 || $age >= self::TOKEN_SECONDS) {
            $this->token = Signing::providerToken($this->signingKey, $this->keyId, $this->teamId, $now);
            $this->issuedAt = $now;
        }
        return $this->token;
    }

    private function own(?string $value): string
    {
        return $value ?? throw new MynahException("the server uses its user's own keys, which it doesn't hand out");
    }

    /** A folder with the files, which is made when it is needed and removed with this process. */
    private function files(): string
    {
        if ($this->folder === null) {
            $this->folder = Folder::temporary();
            file_put_contents("{$this->folder}/ca.pem", $this->ca);
            if ($this->key !== null) {
                $file = "{$this->folder}/AuthKey_{$this->ownKeyId}.p8";
                touch($file);
                chmod($file, self::KEY_MODE);
                file_put_contents($file, $this->key);
            }
        }
        return $this->folder;
    }

    // The server itself

    /**
     * `starting`, `ready` or `stopping`, by a probe: `livez`, `healthz` or `readyz`.
     *
     * `readyz` throws a `ControlException` with status 503 unless it is ready.
     */
    public function probe(string $name = 'readyz'): string
    {
        return $this->control->call('GET', '/' . Documents::segment($name))['status'];
    }

    /** The server's clock, which all tests share. */
    public function clock(): Clock
    {
        return new Clock($this->control, null);
    }

    /**
     * The server's log; empty for a server that was not started here.
     *
     * @return list<string>
     */
    public function logLines(): array
    {
        return $this->child?->logLines() ?? [];
    }

    /** The server as one test sees it. */
    public function scope(string $name): Scope
    {
        return new Scope($this, $name);
    }

    /**
     * All broadcast channels, of an app or an environment; those of providers too, in the order of creation.
     *
     * @return list<Record>
     */
    public function channels(?string $bundleId = null, ?string $environment = null): array
    {
        $found = [];
        $cursor = null;
        do {
            $query = Documents::known([
                'bundleId' => $bundleId, 'environment' => $environment, 'limit' => Documents::LIST_MAX,
                'cursor' => $cursor,
            ]);
            $page = Page::of('Channel', $this->control->call('GET', '/v1/channels', $query), $this->control);
            array_push($found, ...$page->items);
            $cursor = $page->nextCursor;
        } while ($cursor !== null);
        return $found;
    }

    /** Starts a scenario of the program by its name, or one of one's own, for the whole server or a `scope`. */
    public function startScenario(string|array|\stdClass $scenario, ?string $scope = null): Record
    {
        $named = is_string($scenario) ? ['name' => $scenario] : (array) $scenario;
        $body = Documents::document([...$named, 'scope' => $scope]);
        return Record::of('Scenario', $this->control->call('POST', '/v1/scenarios', body: $body), $this->control);
    }

    // The end

    /** Stops the server if it was started here. */
    public function close(): void
    {
        $this->child?->stop();
    }
}
