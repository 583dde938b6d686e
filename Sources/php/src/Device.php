<?php

declare(strict_types=1);

namespace Mynah;

/** A snapshot of a device, with the members of the API; methods that change the device give a new one. */
final class Device extends Record
{
    use Calls\DeviceCalls;

    /** The token of its only app; for several, see `tokenOf`. */
    public function token(): string
    {
        $topics = array_values(array_unique(array_map(fn ($app) => $app->topic, $this->registrations)));
        if (count($topics) === 1) {
            return $this->tokenOf($topics[0]);
        }
        sort($topics);
        $count = count($topics);
        $hint = 'use tokenOf() with one of ' . Documents::json($topics);
        throw new MissingException("device {$this->id} has $count apps: $hint");
    }

    /** The present token of an app. */
    public function tokenOf(string $topic): string
    {
        $apps = array_values(array_filter($this->registrations, fn ($app) => $app->topic === $topic));
        $tokens = array_filter(array_map(fn ($app) => $app->token, $apps));
        if ($tokens !== []) {
            return end($tokens);
        }
        $why = $apps === [] ? "it has no app $topic" : "its app $topic is " . end($apps)->state;
        throw new MissingException("device {$this->id} has no token: $why");
    }

    /** The arrivals, once there are `count`; an `UnmetException` if that takes longer than `within`. */
    public function wait(int $count = 1, mixed $within = '5s', ?string $kind = null): Page
    {
        $page = $this->inbox(...Documents::known([
            'wait' => Documents::duration($within), 'count' => $count, 'kind' => $kind,
        ]));
        if (!$page->timedOut) {
            return $page;
        }
        $what = $kind === null ? 'pushes' : "pushes of kind $kind";
        $numbers = Documents::json(array_map(fn ($arrival) => $arrival->sequence, $page->items));
        $told = "{$page->matched} $what arrived on {$this->id} within $within";
        throw new UnmetException("$told, expected $count: $numbers");
    }

    /**
     * Removes the notifications of all apps, or of the app `topic`, as that app or the user does, and gives how many.
     *
     * With `identifiers`, collapse ids or apns-ids, only those.
     */
    public function clear(?string $topic = null, ?array $identifiers = null): int
    {
        if ($identifiers === []) {
            return 0;
        }
        $query = Documents::parameters(Documents::known(['topic' => $topic, 'identifier' => $identifiers]));
        $path = '/v1/devices/' . Documents::segment($this->id) . '/screen';
        return $this->control->call('DELETE', $path, query: $query)['removed']['notifications'];
    }

    /** Sets the number on an app's icon, as the app does; 0 removes it. */
    public function setBadge(string $topic, int $badge): void
    {
        $path = '/v1/devices/' . Documents::segment($this->id) . '/screen';
        $this->control->call('PATCH', $path, body: ['badges' => [$topic => $badge]]);
    }
}
