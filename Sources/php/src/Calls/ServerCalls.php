<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah\Calls;

use Mynah\Documents;
use Mynah\Page;
use Mynah\Record;
use Mynah\Words;

/** The calls of a server that are one request each. */
trait ServerCalls
{
    /**
     * What it is and does: version, ports, clock, counts.
     */
    public function status(): Record
    {
        $answer = $this->control->call('GET', '/v1/status');
        return Record::of('Status', $answer, $this->control);
    }

    /**
     * Its counters, in Prometheus's text format.
     */
    public function metrics(): string
    {
        return $this->control->call('GET', '/metrics');
    }

    /**
     * The OpenAPI document of the control API.
     */
    public function openapi(): array
    {
        $answer = $this->control->call('GET', '/openapi.json');
        return $answer;
    }

    /**
     * The paths of the control API.
     */
    public function index(): array
    {
        $answer = $this->control->call('GET', '/v1/');
        return $answer;
    }

    /**
     * What is there now, or in a `scope`, as a document for `mynah serve --fixtures`.
     *
     * Options: `scope`.
     */
    public function fixtures(mixed ...$options): array
    {
        $given = Documents::checked('fixtures', $options, Words::KNOWN['Server']['fixtures']);
        $answer = $this->control->call('GET', '/v1/fixtures', query: Documents::parameters([...$given]));
        return $answer;
    }

    /**
     * The CA, and the development key with its ids.
     */
    public function credentials(): Record
    {
        $answer = $this->control->call('GET', '/v1/credentials');
        return Record::of('Credentials', $answer, $this->control);
    }

    /**
     * The CA, PEM.
     */
    public function certificateAuthority(): string
    {
        return $this->control->call('GET', '/ca.pem');
    }

    /**
     * Returns to the state of the start, of everything or of some kinds (`only`), or of a `scope`; gives how many of
     * each kind were removed.
     *
     * Options: `only`, `scope`.
     */
    public function reset(mixed ...$options): array
    {
        $given = Documents::checked('reset', $options, Words::KNOWN['Server']['reset']);
        $answer = $this->control->call('POST', '/v1/reset', body: Documents::document([...$given]));
        return $answer['removed'];
    }

    /**
     * The scopes in use.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function scopes(mixed ...$options): Page
    {
        $given = Documents::checked('scopes', $options, Words::KNOWN['Server']['scopes']);
        $answer = $this->control->call('GET', '/v1/scopes', query: Documents::parameters([...$given]));
        return Page::of('ScopeUse', $answer, $this->control);
    }

    /**
     * The fleets of devices, of all scopes.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function fleets(mixed ...$options): Page
    {
        $given = Documents::checked('fleets', $options, Words::KNOWN['Server']['fleets']);
        $answer = $this->control->call('GET', '/v1/fleets', query: Documents::parameters([...$given]));
        return Page::of('Fleet', $answer, $this->control);
    }

    /**
     * Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given.
     *
     * Options: `id`, `environment`, `messageStoragePolicy`.
     */
    public function createChannel(string $bundleId, mixed ...$options): Record
    {
        $given = Documents::checked('createChannel', $options, Words::KNOWN['Server']['createChannel']);
        $answer = $this->control->call(
            'POST',
            '/v1/channels',
            body: Documents::document(['bundleId' => $bundleId, ...$given]),
        );
        return Record::of('Channel', $answer, $this->control);
    }

    /**
     * One broadcast channel.
     */
    public function channel(string $id): Record
    {
        $answer = $this->control->call('GET', '/v1/channels/' . Documents::segment($id));
        return Record::of('Channel', $answer, $this->control);
    }

    /**
     * Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on.
     */
    public function deleteChannel(string $id): Record
    {
        $answer = $this->control->call('DELETE', '/v1/channels/' . Documents::segment($id));
        return Record::of('Channel', $answer, $this->control);
    }

    /**
     * Deletes all broadcast channels; gives how many.
     */
    public function deleteChannels(): int
    {
        $answer = $this->control->call('DELETE', '/v1/channels');
        return $answer['removed']['channels'];
    }

    /**
     * The keys of provider tokens that the server accepts, and those that were revoked.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function keys(mixed ...$options): Page
    {
        $given = Documents::checked('keys', $options, Words::KNOWN['Server']['keys']);
        $answer = $this->control->call('GET', '/v1/keys', query: Documents::parameters([...$given]));
        return Page::of('AddedKey', $answer, $this->control);
    }

    /**
     * One key.
     */
    public function key(string $keyId): Record
    {
        $answer = $this->control->call('GET', '/v1/keys/' . Documents::segment($keyId));
        return Record::of('AddedKey', $answer, $this->control);
    }

    /**
     * Adds a key; without a `publicKey` or `privateKey`, a new one, whose `privateKey` is in the answer.
     *
     * Options: `keyId`, `team`, `publicKey`, `privateKey`, `environment`, `topics`, `related`, `revokedAt`.
     */
    public function addKey(mixed ...$options): Record
    {
        $given = Documents::checked('addKey', $options, Words::KNOWN['Server']['addKey']);
        $answer = $this->control->call('POST', '/v1/keys', body: Documents::document([...$given]));
        return Record::of('AddedKey', $answer, $this->control);
    }

    /**
     * Adds a key with this id, or replaces the one that has it.
     *
     * Options: `keyId`, `team`, `publicKey`, `privateKey`, `environment`, `topics`, `related`, `revokedAt`.
     */
    public function putKey(string $keyId, mixed ...$options): Record
    {
        $given = Documents::checked('putKey', $options, Words::KNOWN['Server']['putKey']);
        $answer = $this->control->call(
            'PUT',
            '/v1/keys/' . Documents::segment($keyId),
            body: Documents::document([...$given]),
        );
        return Record::of('AddedKey', $answer, $this->control);
    }

    /**
     * Revokes a key: its tokens are InvalidProviderToken from then on.
     */
    public function revokeKey(string $keyId): Record
    {
        $answer = $this->control->call('DELETE', '/v1/keys/' . Documents::segment($keyId));
        return Record::of('AddedKey', $answer, $this->control);
    }

    /**
     * The provider certificates that the server issued.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function certificates(mixed ...$options): Page
    {
        $given = Documents::checked('certificates', $options, Words::KNOWN['Server']['certificates']);
        $answer = $this->control->call('GET', '/v1/certificates', query: Documents::parameters([...$given]));
        return Page::of('IssuedCertificate', $answer, $this->control);
    }

    /**
     * One provider certificate.
     */
    public function certificate(string $serialNumber): Record
    {
        $answer = $this->control->call('GET', '/v1/certificates/' . Documents::segment($serialNumber));
        return Record::of('IssuedCertificate', $answer, $this->control);
    }

    /**
     * Issues a provider certificate for topics, with its private key.
     *
     * Options: `voip`, `complication`, `environment`, `days`, `expired`, `keyType`, `password`, `csr`.
     */
    public function issueCertificate(string|array $topics, mixed ...$options): Record
    {
        $given = Documents::checked('issueCertificate', $options, Words::KNOWN['Server']['issueCertificate']);
        $answer = $this->control->call(
            'POST',
            '/v1/certificates',
            body: Documents::document(['topics' => (array) $topics, ...$given]),
        );
        return Record::of('IssuedCertificate', $answer, $this->control);
    }

    /**
     * Revokes a provider certificate: a handshake with it fails from then on.
     */
    public function revokeCertificate(string $serialNumber): Record
    {
        $answer = $this->control->call('DELETE', '/v1/certificates/' . Documents::segment($serialNumber));
        return Record::of('IssuedCertificate', $answer, $this->control);
    }

    /**
     * The open connections of providers by filters; with `wait`, once `count` match or with `timedOut`.
     *
     * Options: `wait`, `count`, `order`, `limit`, `cursor`, `environment`, `team`, `keyId`, `connection`.
     */
    public function connections(mixed ...$options): Page
    {
        $given = Documents::checked('connections', $options, Words::KNOWN['Server']['connections']);
        $answer = $this->control->call(
            'GET',
            '/v1/connections',
            query: Documents::parameters(['limit' => Documents::LIST_MAX, ...$given]),
        );
        return Page::of('Connection', $answer, $this->control);
    }

    /**
     * One open connection, by the number that pushes have as `connection`.
     */
    public function connection(int $id): Record
    {
        $answer = $this->control->call('GET', '/v1/connections/' . Documents::segment($id));
        return Record::of('Connection', $answer, $this->control);
    }

    /**
     * Closes a connection with GOAWAY, or with `abort` resets it.
     *
     * Options: `abort`.
     */
    public function closeConnection(Record|int $connection, mixed ...$options): void
    {
        $given = Documents::checked('closeConnection', $options, Words::KNOWN['Server']['closeConnection']);
        $this->control->call(
            'DELETE',
            '/v1/connections/' . Documents::segment($connection, 'id'),
            query: Documents::parameters([...$given]),
        );
    }

    /**
     * The newest connections that ended before their first request, and why.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function failedHandshakes(mixed ...$options): Page
    {
        $given = Documents::checked('failedHandshakes', $options, Words::KNOWN['Server']['failedHandshakes']);
        $answer = $this->control->call('GET', '/v1/failed-handshakes', query: Documents::parameters([...$given]));
        return Page::of('FailedHandshake', $answer, $this->control);
    }

    /**
     * The latest connections of providers that have closed.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function closedConnections(mixed ...$options): Page
    {
        $given = Documents::checked('closedConnections', $options, Words::KNOWN['Server']['closedConnections']);
        $answer = $this->control->call('GET', '/v1/closed-connections', query: Documents::parameters([...$given]));
        return Page::of('ClosedConnection', $answer, $this->control);
    }

    /**
     * The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program.
     *
     * Options: `shipped`, `scope`, `order`, `limit`, `cursor`.
     */
    public function scenarios(mixed ...$options): Page
    {
        $given = Documents::checked('scenarios', $options, Words::KNOWN['Server']['scenarios']);
        $answer = $this->control->call('GET', '/v1/scenarios', query: Documents::parameters([...$given]));
        return Page::of('Scenario', $answer, $this->control);
    }

    /**
     * A scenario that runs, for the whole server or in a `scope`.
     *
     * Options: `scope`.
     */
    public function scenario(string $name, mixed ...$options): Record
    {
        $given = Documents::checked('scenario', $options, Words::KNOWN['Server']['scenario']);
        $answer = $this->control->call(
            'GET',
            '/v1/scenarios/' . Documents::segment($name),
            query: Documents::parameters([...$given]),
        );
        return Record::of('Scenario', $answer, $this->control);
    }

    /**
     * Ends a scenario, and removes its rules; gives how many of each kind.
     *
     * Options: `scope`.
     */
    public function removeScenario(string $name, mixed ...$options): array
    {
        $given = Documents::checked('removeScenario', $options, Words::KNOWN['Server']['removeScenario']);
        $answer = $this->control->call(
            'DELETE',
            '/v1/scenarios/' . Documents::segment($name),
            query: Documents::parameters([...$given]),
        );
        return $answer['removed'];
    }

    /**
     * Ends all scenarios, or those of a `scope`, and removes their rules; gives how many of each kind.
     *
     * Options: `scope`.
     */
    public function removeScenarios(mixed ...$options): array
    {
        $given = Documents::checked('removeScenarios', $options, Words::KNOWN['Server']['removeScenarios']);
        $answer = $this->control->call('DELETE', '/v1/scenarios', query: Documents::parameters([...$given]));
        return $answer['removed'];
    }

    /**
     * The device tokens and channels that are always answered the same.
     *
     * Options: `order`, `limit`, `cursor`.
     */
    public function magicTokens(mixed ...$options): Page
    {
        $given = Documents::checked('magicTokens', $options, Words::KNOWN['Server']['magicTokens']);
        $answer = $this->control->call('GET', '/v1/magic-tokens', query: Documents::parameters([...$given]));
        return Page::of('MagicToken', $answer, $this->control);
    }
}
