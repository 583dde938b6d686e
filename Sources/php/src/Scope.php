<?php

declare(strict_types=1);

namespace Mynah;

/**
 * A server, and a scope in it.
 *
 * Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
 * `scope: null` extends them to the whole server. A push belongs to the scope of its device.
 */
final class Scope
{
    use Calls\ScopeCalls;

    /** The longest `within` and the longest `settle` that the server accepts. */
    private const EXPECTATION_SECONDS = 3600;
    private const LIMITS = ['count', 'exactly', 'max', 'within', 'settle', 'after'];

    public readonly ControlAPI $control;
    /** @var list<string> The ids of rules outside the scope, which are removed with it. */
    private array $sharedFaults = [];

    public function __construct(
        public readonly Server $server,
        public readonly string $name,
    ) {
        $this->control = $server->control;
    }

    /** Of the server, for the code under test: `host`, `port`, `apnsUrl`, `ca`, `caFile`, `signingKey`, … */
    public function __get(string $name): mixed
    {
        return $this->server->$name;
    }

    public function __isset(string $name): bool
    {
        return isset($this->server->$name);
    }

    /** A provider token that the server accepts, for `authorization: bearer …`. */
    public function providerToken(): string
    {
        return $this->server->providerToken();
    }

    // To arrange

    /**
     * Makes a device with an app, or with several.
     *
     * With `online: false` the device goes offline after its apps have got their tokens.
     */
    public function device(string|array $topics, mixed ...$options): Device
    {
        $given = Documents::checked('device', $options, ['online', ...Words::SETS['DeviceSettings']]);
        $settings = Documents::withApps($topics, Documents::without($given, ['online']));
        $body = Documents::document(['scope' => $this->name, ...$settings]);
        $made = Record::of('Device', $this->control->call('POST', '/v1/devices', body: $body), $this->control);
        return ($given['online'] ?? true) ? $made : $made->change(online: false);
    }

    /**
     * Adds a fault rule: `fault('slow', delay: '5s')`, `fault(403, reason: 'ExpiredProviderToken', times: 2)`.
     *
     * `action` is a status to answer with its usual reason, a preset or a reason by the names of `mynah fault add`, the
     * API's object, or a list of these, one after the other. Options are members of the action, of the rule, and
     * filters; `match` has filters too. Connections have no scope, so a rule with an action on connections or
     * handshakes, like `'refuse'`, needs `scope: null`; it too is removed with the scope, but until then it also
     * affects other tests on the same server.
     */
    public function fault(int|string|array|\stdClass $action, mixed ...$options): Fault
    {
        return $this->kept('POST', '/v1/faults', $this->ruleOf('fault', $action, $options), $options);
    }

    /** Makes a fault rule with this id, in place of the one that has it; otherwise like `fault`. */
    public function putFault(string $id, int|string|array|\stdClass $action, mixed ...$options): Fault
    {
        $path = '/v1/faults/' . Documents::segment($id);
        return $this->kept('PUT', $path, $this->ruleOf('putFault', $action, $options), $options);
    }

    /**
     * Starts a scenario for this scope: one that is part of the program by its name, or one of one's own.
     *
     * One with rules of connections or handshakes needs a whole server: `$server->startScenario()`.
     */
    public function startScenario(string|array|\stdClass $scenario): Record
    {
        return $this->server->startScenario($scenario, scope: $this->name);
    }

    /** The clock of this scope's devices. */
    public function clock(): Clock
    {
        return new Clock($this->control, $this->name);
    }

    // To assert

    /** The newest sequence number; as `after`, it selects later pushes. */
    public function lastSequence(): int
    {
        return $this->notifications(scope: null, limit: 1)->lastSequence;
    }

    /** Waits for pushes like `expect`, but gives the result also if it is unmet. */
    public function check(mixed ...$options): ExpectationResult
    {
        return $this->resultOf('check', $options);
    }

    /**
     * Waits until pushes match: one, `count` or more, `exactly` or at most `max` of them, `within` 5 s.
     *
     * Filters are those of `POST /v1/expectations`: `expect(topic: 'com.example.app', screen: ['/title' => 'Hello'])`.
     * `settle` waits for further pushes, `inOrder` is a list of matches; `max: 0, otherThan: […]` says that no push
     * comes but those that these matches select. A broadcast is of no scope: `expect(channel: $id, scope: null)`.
     * Throws an `ExpectationUnmet` with the nearest pushes.
     */
    public function expect(mixed ...$options): ExpectationResult
    {
        $result = $this->resultOf('expect', $options);
        return $result->met ? $result : throw new ExpectationUnmet($result);
    }

    /**
     * Waits for `count` pushes that match; gives at most 100 of them, oldest first. Throws like `expect`.
     *
     * @return list<Notification>
     */
    public function wait(mixed ...$options): array
    {
        $names = ['scope', 'count', 'within', ...Words::SETS['Filters']];
        return $this->expect(...['count' => 1, ...Documents::checked('wait', $options, $names)])->items;
    }

    // The end

    /**
     * Removes everything of this scope; gives how many of each kind.
     *
     * @return array<string, int>
     */
    public function remove(): array
    {
        while (($id = array_pop($this->sharedFaults)) !== null) {
            try {
                $this->control->call('DELETE', '/v1/faults/' . Documents::segment($id));
            } catch (ControlException $error) {
                // The test has removed it.
                if ($error->status !== 404) {
                    throw $error;
                }
            }
        }
        return $this->control->call('DELETE', '/v1/scopes/' . Documents::segment($this->name))['removed'];
    }

    private function resultOf(string $call, array $options): ExpectationResult
    {
        $names = ['scope', 'match', 'inOrder', 'otherThan', ...self::LIMITS, ...Words::SETS['Filters']];
        $given = Documents::checked($call, $options, $names);
        $match = [
            ...Documents::matchOf($given['match'] ?? []),
            ...Documents::matchOf(Documents::only($given, Words::SETS['Filters'])),
        ];
        self::refuseContradictions($given, $match);
        $limits = Documents::only($given, ['after']);
        foreach (['within', 'settle'] as $limit) {
            if (isset($given[$limit])) {
                $limits[$limit] = Documents::duration($given[$limit]);
            }
        }
        $scope = array_key_exists('scope', $given) ? $given['scope'] : $this->name;
        $body = Documents::document(['scope' => $scope, ...self::whatOf($given, $match), ...$limits]);
        $timeout = 2 * self::EXPECTATION_SECONDS + ControlAPI::ANSWER_SECONDS;
        $answer = $this->control->call('POST', '/v1/expectations', body: $body, timeout: $timeout);
        return new ExpectationResult($answer, (array) $body);
    }

    private static function refuseContradictions(array $given, array $match): void
    {
        $counts = count(Documents::only($given, ['count', 'exactly', 'max']));
        if (isset($given['inOrder']) && ($match !== [] || $counts > 0)) {
            throw new ArgumentException('inOrder: leave out filters and counts; each step has its own filters');
        }
        if (isset($given['exactly']) && $counts > 1) {
            throw new ArgumentException('exactly: leave out count and max');
        }
        if (isset($given['inOrder'], $given['otherThan'])) {
            throw new ArgumentException('otherThan: leave it out, because inOrder lets others come in between');
        }
    }

    private static function whatOf(array $given, array $match): array
    {
        $objects = fn (array $matches) => array_map(fn ($one) => (object) Documents::matchOf($one), $matches);
        if (isset($given['inOrder'])) {
            return ['inOrder' => $objects($given['inOrder'])];
        }
        // "At most two" doesn't require one.
        $least = $given['count'] ?? (isset($given['max']) ? null : 1);
        $counts = isset($given['exactly'])
            ? ['exactly' => $given['exactly']]
            : Documents::known(['min' => $least, 'max' => $given['max'] ?? null]);
        $others = isset($given['otherThan']) ? ['otherThan' => $objects($given['otherThan'])] : [];
        return ['match' => (object) $match, 'count' => $counts, ...$others];
    }

    private function ruleOf(string $call, mixed $action, array $options): object
    {
        $sets = Words::SETS;
        $names = ['scope', 'match', ...$sets['FaultSettings'], ...$sets['FaultOptions'], ...$sets['FaultFilters']];
        $given = Documents::checked($call, $options, $names);
        $match = [
            ...Documents::matchOf($given['match'] ?? []),
            ...Documents::matchOf(Documents::only($given, $sets['FaultFilters'])),
        ];
        $own = Documents::plain(Documents::only($given, $sets['FaultOptions']));
        return Documents::document([
            'scope' => $this->name,
            ...Documents::only($given, ['scope', ...$sets['FaultSettings']]),
            'match' => (object) $match,
            ...Fault::actionsOf($action, $own),
        ]);
    }

    private function kept(string $method, string $path, object $body, array $options): Fault
    {
        try {
            $answer = $this->control->call($method, $path, body: $body);
        } catch (ControlException $error) {
            // Nobody had asked for a scope.
            $isOwn = !array_key_exists('scope', $options) && str_ends_with($error->field ?? '', 'scope');
            throw $isOwn ? $error->with('pass scope: null, for a rule of the whole server') : $error;
        }
        if (($answer['scope'] ?? null) !== $this->name) {
            $this->sharedFaults[] = $answer['id'];
        }
        return Record::of('Fault', $answer, $this->control);
    }
}
