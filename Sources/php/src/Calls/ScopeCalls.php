<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah\Calls;

use Mynah\Device;
use Mynah\Documents;
use Mynah\Fault;
use Mynah\Notification;
use Mynah\Page;
use Mynah\Record;
use Mynah\Words;

/** The calls of a scope that are one request each. */
trait ScopeCalls
{
    /**
     * Makes many devices of a kind, with numbers behind `id`; gives the first 1,000.
     *
     * Options: `id`, `user`, `name`, `model`, `platform`, `osVersion`, `environment`, `locale`, `power`, `focus`,
     * `languages`, `locked`, `muted`, `watch`, `summary`, `registrations`, `activities`.
     */
    public function addDevices(string $id, int $count, string|array $topics, mixed ...$options): Page
    {
        $given = Documents::checked('addDevices', $options, Words::KNOWN['Scope']['addDevices']);
        $answer = $this->control->call(
            'POST',
            '/v1/devices',
            body: Documents::document(['scope' => $this->name, 'id' => $id, 'count' => $count,
                ...Documents::withApps($topics, $given)]),
        );
        return Page::of('Device', $answer, $this->control);
    }

    /**
     * Makes a device with this id, in place of the one that has it.
     *
     * Options: `id`, `user`, `name`, `model`, `platform`, `osVersion`, `environment`, `locale`, `power`, `focus`,
     * `languages`, `locked`, `muted`, `watch`, `summary`, `registrations`, `activities`.
     */
    public function putDevice(string $id, string|array $topics, mixed ...$options): Device
    {
        $given = Documents::checked('putDevice', $options, Words::KNOWN['Scope']['putDevice']);
        $answer = $this->control->call(
            'PUT',
            '/v1/devices/' . Documents::segment($id),
            body: Documents::document(['scope' => $this->name, ...Documents::withApps($topics, $given)]),
        );
        return Record::of('Device', $answer, $this->control);
    }

    /**
     * The device with this id, in whatever scope; an error with status 404 for an unknown one.
     */
    public function findDevice(string $id): Device
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($id));
        return Record::of('Device', $answer, $this->control);
    }

    /**
     * The devices by filters: by id, or by `sort`.
     *
     * Options: `scope`, `sort`, `after`, `order`, `limit`, `cursor`, `device`, `fleet`, `topic`, `token`,
     * `environment`, `named`, `user`, `platform`, `online`, `power`.
     */
    public function devices(mixed ...$options): Page
    {
        $given = Documents::checked('devices', $options, Words::KNOWN['Scope']['devices']);
        $answer = $this->control->call(
            'GET',
            '/v1/devices',
            query: Documents::parameters(['limit' => Documents::LIST_MAX, 'scope' => $this->name, ...$given]),
        );
        return Page::of('Device', $answer, $this->control);
    }

    /**
     * Changes all devices, or those of a user, as a device's `change` does one; gives how many.
     *
     * Options: `scope`, `user`, `name`, `osVersion`, `locale`, `online`, `power`, `focus`, `languages`, `locked`,
     * `muted`, `watch`, `summary`.
     */
    public function changeDevices(?string $user = null, mixed ...$options): int
    {
        $given = Documents::checked('changeDevices', $options, Words::KNOWN['Scope']['changeDevices']);
        $answer = $this->control->call(
            'PATCH',
            '/v1/devices',
            query: Documents::parameters(['scope' => $this->name, ...Documents::known(['user' => $user]),
                ...Documents::only($given, ['scope'])]),
            body: Documents::document([...Documents::without($given, ['scope'])]),
        );
        return $answer['changed']['devices'];
    }

    /**
     * Removes devices by filters; gives how many.
     *
     * Options: `scope`, `device`, `fleet`, `topic`, `token`, `environment`, `named`, `user`, `platform`, `online`,
     * `power`.
     */
    public function removeDevices(mixed ...$options): int
    {
        $given = Documents::checked('removeDevices', $options, Words::KNOWN['Scope']['removeDevices']);
        $answer = $this->control->call(
            'DELETE',
            '/v1/devices',
            query: Documents::parameters(['scope' => $this->name, ...$given]),
        );
        return $answer['removed']['devices'];
    }

    /**
     * Starts a Live Activity on each device of this scope, or of a `user` in it, as `startActivity` does on one.
     *
     * Options: `user`, `environment`, `attributes`, `contentState`, `staleDate`, `relevanceScore`, `pushType`.
     */
    public function startActivities(string $topic, string $attributesType, mixed ...$options): Record
    {
        $given = Documents::checked('startActivities', $options, Words::KNOWN['Scope']['startActivities']);
        $answer = $this->control->call(
            'POST',
            '/v1/activities',
            query: Documents::parameters(['scope' => $this->name, ...Documents::only($given, ['user'])]),
            body: Documents::document(['topic' => $topic, 'attributesType' => $attributesType,
                ...Documents::without($given, ['user'])]),
        );
        return Record::of('StartedActivities', $answer, $this->control);
    }

    /**
     * Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; gives how many.
     *
     * Options: `user`, `channel`.
     */
    public function dismissActivities(mixed ...$options): int
    {
        $given = Documents::checked('dismissActivities', $options, Words::KNOWN['Scope']['dismissActivities']);
        $answer = $this->control->call(
            'DELETE',
            '/v1/activities',
            query: Documents::parameters(['scope' => $this->name, ...$given]),
        );
        return $answer['removed']['activities'];
    }

    /**
     * The rule with this id, in whatever scope; an error with status 404 for an unknown one.
     */
    public function findFault(string $id): Fault
    {
        $answer = $this->control->call('GET', '/v1/faults/' . Documents::segment($id));
        return Record::of('Fault', $answer, $this->control);
    }

    /**
     * The rules in force by filters.
     *
     * Options: `scope`, `order`, `limit`, `cursor`, `fault`, `name`, `enabled`, `fired`, `event`, `action`.
     */
    public function faults(mixed ...$options): Page
    {
        $given = Documents::checked('faults', $options, Words::KNOWN['Scope']['faults']);
        $answer = $this->control->call(
            'GET',
            '/v1/faults',
            query: Documents::parameters(['limit' => Documents::LIST_MAX, 'scope' => $this->name, ...$given]),
        );
        return Page::of('Fault', $answer, $this->control);
    }

    /**
     * Removes rules by filters; gives how many.
     *
     * Options: `scope`, `fault`, `name`, `enabled`, `fired`, `event`, `action`.
     */
    public function removeFaults(mixed ...$options): int
    {
        $given = Documents::checked('removeFaults', $options, Words::KNOWN['Scope']['removeFaults']);
        $answer = $this->control->call(
            'DELETE',
            '/v1/faults',
            query: Documents::parameters(['scope' => $this->name, ...$given]),
        );
        return $answer['removed']['faults'];
    }

    /**
     * Ends a scenario of this scope, and removes its rules; gives how many of each kind.
     */
    public function removeScenario(string $name): array
    {
        $answer = $this->control->call(
            'DELETE',
            '/v1/scenarios/' . Documents::segment($name),
            query: Documents::parameters(['scope' => $this->name]),
        );
        return $answer['removed'];
    }

    /**
     * Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer.
     *
     * Options: `token`, `channel`, `topic`, `pushType`, `priority`, `expiration`, `collapseId`, `apnsId`, `payload`,
     * `payloadBase64`, `environment`, `timeout`.
     */
    public function send(mixed ...$options): Record
    {
        $given = Documents::checked('send', $options, Words::KNOWN['Scope']['send']);
        $answer = $this->control->call('POST', '/v1/notifications', body: Documents::document([...$given]));
        return Record::of('SentNotification', $answer, $this->control);
    }

    /**
     * The pushes in the journal by filters, oldest first; with `wait`, once `count` match or with `timedOut`.
     *
     * Options: `scope`, `q`, `wait`, `count`, `after`, `order`, `limit`, `cursor`, `token`, `device`, `topic`,
     * `channel`, `team`, `keyId`, `apnsId`, `uniqueId`, `collapseId`, `pushType`, `priority`, `environment`,
     * `connection`, `kind`, `status`, `reason`, `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`,
     * `text`, `payload`, `screen`, `webPush`.
     */
    public function notifications(mixed ...$options): Page
    {
        $given = Documents::checked('notifications', $options, Words::KNOWN['Scope']['notifications']);
        $answer = $this->control->call(
            'GET',
            '/v1/notifications',
            query: Documents::parameters(['limit' => Documents::LIST_MAX, 'scope' => $this->name, ...$given]),
        );
        return Page::of('Notification', $answer, $this->control);
    }

    /**
     * A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id.
     */
    public function notification(int|string $id): Notification
    {
        $answer = $this->control->call('GET', '/v1/notifications/' . Documents::segment($id));
        return Record::of('Notification', $answer, $this->control);
    }

    /**
     * Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it.
     */
    public function removeNotification(int|string $id): void
    {
        $this->control->call('DELETE', '/v1/notifications/' . Documents::segment($id));
    }

    /**
     * Removes pushes from the journal by filters; gives how many.
     *
     * Options: `scope`, `q`, `token`, `device`, `topic`, `channel`, `team`, `keyId`, `apnsId`, `uniqueId`,
     * `collapseId`, `pushType`, `priority`, `environment`, `connection`, `kind`, `status`, `reason`, `outcome`,
     * `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`, `payload`, `screen`, `webPush`.
     */
    public function removeNotifications(mixed ...$options): int
    {
        $given = Documents::checked('removeNotifications', $options, Words::KNOWN['Scope']['removeNotifications']);
        $answer = $this->control->call(
            'DELETE',
            '/v1/notifications',
            query: Documents::parameters(['scope' => $this->name, ...$given]),
        );
        return $answer['removed']['notifications'];
    }

    /**
     * What happens, as it happens, by filters and kinds (`event`); with `after` later events than this come first.
     *
     * Options: `scope`, `q`, `event`, `after`, `token`, `device`, `topic`, `channel`, `team`, `keyId`, `apnsId`,
     * `uniqueId`, `collapseId`, `pushType`, `priority`, `environment`, `connection`, `kind`, `status`, `reason`,
     * `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`, `payload`, `screen`, `webPush`.
     */
    public function events(mixed ...$options): \Generator
    {
        $given = Documents::checked('events', $options, Words::KNOWN['Scope']['events']);
        return $this->control->events('/v1/events', query: Documents::parameters(['scope' => $this->name, ...$given]));
    }
}
