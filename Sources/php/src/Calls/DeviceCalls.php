<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah\Calls;

use Mynah\Device;
use Mynah\Documents;
use Mynah\Page;
use Mynah\Record;
use Mynah\Words;

/** The calls of a device that are one request each. */
trait DeviceCalls
{
    /**
     * A new snapshot of the device.
     */
    public function refresh(): Device
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($this->id));
        return Record::of('Device', $answer, $this->control);
    }

    /**
     * Changes the device; stored pushes have been delivered when a change to `online` is answered.
     *
     * Options: `user`, `name`, `osVersion`, `locale`, `online`, `power`, `focus`, `languages`, `locked`, `muted`,
     * `watch`, `summary`.
     */
    public function change(mixed ...$options): Device
    {
        $given = Documents::checked('change', $options, Words::KNOWN['Device']['change']);
        $answer = $this->control->call(
            'PATCH',
            '/v1/devices/' . Documents::segment($this->id),
            body: Documents::document([...$given]),
        );
        return Record::of('Device', $answer, $this->control);
    }

    /**
     * Removes the device.
     */
    public function remove(): void
    {
        $this->control->call('DELETE', '/v1/devices/' . Documents::segment($this->id));
    }

    /**
     * What arrives on the device, and what changes on it, as it happens. With `connect` it is online until this is
     * closed; `after` is the id of the last event that is known, 0 for everything in the inbox.
     *
     * Options: `connect`, `after`.
     */
    public function events(mixed ...$options): \Generator
    {
        $given = Documents::checked('events', $options, Words::KNOWN['Device']['events']);
        return $this->control->events(
            '/v1/devices/' . Documents::segment($this->id) . '/stream',
            query: Documents::parameters([...Documents::renamed($given, ['after' => 'lastEventId'])]),
        );
    }

    /**
     * Its apps as they are now.
     */
    public function apps(): array
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($this->id) . '/registrations');
        return Record::all('Registration', $answer['items'], $this->control);
    }

    /**
     * An app as it is now; `environment` is by default the device's.
     *
     * Options: `environment`.
     */
    public function app(string $topic, mixed ...$options): Record
    {
        $given = Documents::checked('app', $options, Words::KNOWN['Device']['app']);
        $answer = $this->control->call(
            'GET',
            '/v1/devices/' . Documents::segment($this->id) . '/registrations/' . Documents::segment($topic),
            query: Documents::parameters([...$given]),
        );
        return Record::of('Registration', $answer, $this->control);
    }

    /**
     * Installs an app, or launches it again.
     *
     * Options: `kind`, `applicationServerKey`, `environment`, `token`, `launched`, `entitled`, `rotate`,
     * `backgroundRefresh`, `worker`, `appState`, `permissions`, `presentInForeground`, `appName`, `sounds`,
     * `categories`, `strings`, `developmentLanguage`, `serviceExtension`, `focusFilter`, `reportsCalls`,
     * `frequentUpdates`, `backgroundFetch`, `backgroundModes`, `state`, `since`, `endedAt`, `webPush`,
     * `unregisteredAt`.
     */
    public function install(string $topic, mixed ...$options): Device
    {
        $given = Documents::checked('install', $options, Words::KNOWN['Device']['install']);
        $this->control->call(
            'POST',
            '/v1/devices/' . Documents::segment($this->id) . '/registrations',
            body: Documents::document(['topic' => $topic, ...$given]),
        );
        return $this->refresh();
    }

    /**
     * Changes an app.
     *
     * Options: `environment`, `backgroundRefresh`, `worker`, `appState`, `permissions`, `presentInForeground`,
     * `appName`, `sounds`, `categories`, `strings`, `developmentLanguage`, `serviceExtension`, `focusFilter`,
     * `reportsCalls`, `frequentUpdates`, `backgroundFetch`, `backgroundModes`.
     */
    public function changeApp(string $topic, mixed ...$options): Device
    {
        $given = Documents::checked('changeApp', $options, Words::KNOWN['Device']['changeApp']);
        $this->control->call(
            'PATCH',
            '/v1/devices/' . Documents::segment($this->id) . '/registrations/' . Documents::segment($topic),
            query: Documents::parameters([...Documents::only($given, ['environment'])]),
            body: Documents::document([...Documents::without($given, ['environment'])]),
        );
        return $this->refresh();
    }

    /**
     * Removes an app; its token is Unregistered from then on.
     *
     * Options: `environment`.
     */
    public function uninstall(string $topic, mixed ...$options): Device
    {
        $given = Documents::checked('uninstall', $options, Words::KNOWN['Device']['uninstall']);
        $this->control->call(
            'DELETE',
            '/v1/devices/' . Documents::segment($this->id) . '/registrations/' . Documents::segment($topic),
            query: Documents::parameters([...$given]),
        );
        return $this->refresh();
    }

    /**
     * The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timedOut`.
     *
     * Options: `q`, `kind`, `wait`, `count`, `after`, `order`, `limit`, `cursor`, `token`, `device`, `topic`,
     * `channel`, `team`, `keyId`, `apnsId`, `uniqueId`, `collapseId`, `pushType`, `priority`, `environment`,
     * `connection`, `status`, `reason`, `outcome`, `shown`, `sounded`, `fault`, `has`, `since`, `until`, `text`,
     * `payload`, `screen`, `webPush`.
     */
    public function inbox(mixed ...$options): Page
    {
        $given = Documents::checked('inbox', $options, Words::KNOWN['Device']['inbox']);
        $answer = $this->control->call(
            'GET',
            '/v1/devices/' . Documents::segment($this->id) . '/inbox',
            query: Documents::parameters([...$given]),
        );
        return Page::of('Arrival', $answer, $this->control);
    }

    /**
     * What the user sees.
     */
    public function screen(): Record
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($this->id) . '/screen');
        return Record::of('Screen', $answer, $this->control);
    }

    /**
     * Opens a notification, or chooses one of its actions, as the user does.
     */
    public function act(Record|int $notification, string $action = 'default', ?string $text = null): void
    {
        $this->control->call(
            'POST',
            '/v1/devices/' . Documents::segment($this->id) . '/screen/' . Documents::segment($notification,
                'sequence') . '/actions',
            body: Documents::document(['action' => $action, ...Documents::known(['text' => $text])]),
        );
    }

    /**
     * Clears a notification, as the user does.
     */
    public function dismiss(Record|int $notification): void
    {
        $this->control->call(
            'DELETE',
            '/v1/devices/' . Documents::segment($this->id) . '/screen/' . Documents::segment($notification, 'sequence'),
        );
    }

    /**
     * Its Live Activities, newest first, with those that are dismissed.
     */
    public function activities(): array
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($this->id) . '/activities');
        return Record::all('LiveActivity', $answer['items'], $this->control);
    }

    /**
     * A Live Activity as it is now.
     */
    public function activity(Record|string $activity): Record
    {
        $answer = $this->control->call(
            'GET',
            '/v1/devices/' . Documents::segment($this->id) . '/activities/' . Documents::segment($activity, 'id'),
        );
        return Record::of('LiveActivity', $answer, $this->control);
    }

    /**
     * Starts a Live Activity as its app does.
     *
     * Options: `environment`, `attributes`, `contentState`, `staleDate`, `relevanceScore`, `pushType`.
     */
    public function startActivity(string $topic, string $attributesType, mixed ...$options): Record
    {
        $given = Documents::checked('startActivity', $options, Words::KNOWN['Device']['startActivity']);
        $answer = $this->control->call(
            'POST',
            '/v1/devices/' . Documents::segment($this->id) . '/activities',
            body: Documents::document(['topic' => $topic, 'attributesType' => $attributesType, ...$given]),
        );
        return Record::of('LiveActivity', $answer, $this->control);
    }

    /**
     * Changes what a Live Activity shows, as its app does.
     *
     * Options: `contentState`, `staleDate`, `relevanceScore`, `dismissalDate`.
     */
    public function updateActivity(Record|string $activity, mixed ...$options): Record
    {
        $given = Documents::checked('updateActivity', $options, Words::KNOWN['Device']['updateActivity']);
        $answer = $this->control->call(
            'PATCH',
            '/v1/devices/' . Documents::segment($this->id) . '/activities/' . Documents::segment($activity, 'id'),
            body: Documents::document([...$given]),
        );
        return Record::of('LiveActivity', $answer, $this->control);
    }

    /**
     * Ends a Live Activity as its app does, by default with four hours on the lock screen.
     *
     * Options: `contentState`, `staleDate`, `relevanceScore`, `dismissalDate`.
     */
    public function endActivity(Record|string $activity, mixed ...$options): Record
    {
        $given = Documents::checked('endActivity', $options, Words::KNOWN['Device']['endActivity']);
        $answer = $this->control->call(
            'PATCH',
            '/v1/devices/' . Documents::segment($this->id) . '/activities/' . Documents::segment($activity, 'id'),
            body: Documents::document(['state' => 'ended', ...$given]),
        );
        return Record::of('LiveActivity', $answer, $this->control);
    }

    /**
     * Takes a Live Activity off the screen, as the user does.
     */
    public function dismissActivity(Record|string $activity): void
    {
        $this->control->call(
            'DELETE',
            '/v1/devices/' . Documents::segment($this->id) . '/activities/' . Documents::segment($activity, 'id'),
        );
    }

    /**
     * Its running Live Activities that follow channels, newest first.
     */
    public function subscriptions(): array
    {
        $answer = $this->control->call('GET', '/v1/devices/' . Documents::segment($this->id) . '/subscriptions');
        return Record::all('LiveActivity', $answer['items'], $this->control);
    }

    /**
     * Subscribes the device to a channel, by a Live Activity that its app starts.
     *
     * Options: `topic`, `environment`, `attributesType`, `attributes`, `contentState`, `staleDate`, `relevanceScore`.
     */
    public function subscribe(string $channel, mixed ...$options): Record
    {
        $given = Documents::checked('subscribe', $options, Words::KNOWN['Device']['subscribe']);
        $answer = $this->control->call(
            'POST',
            '/v1/devices/' . Documents::segment($this->id) . '/subscriptions',
            body: Documents::document(['channel' => $channel, ...$given]),
        );
        return Record::of('LiveActivity', $answer, $this->control);
    }

    /**
     * Dismisses the Live Activities that follow a channel, as the user does; gives how many.
     */
    public function unsubscribe(string $channel): int
    {
        $answer = $this->control->call(
            'DELETE',
            '/v1/devices/' . Documents::segment($this->id) . '/subscriptions/' . Documents::segment($channel),
        );
        return $answer['removed']['activities'];
    }
}
