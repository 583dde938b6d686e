// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.model.SentNotification;
import mynah.model.StartedActivities;
import mynah.options.ChangeDevicesOptions;
import mynah.options.DeviceSettings;
import mynah.options.DevicesOptions;
import mynah.options.DismissActivitiesOptions;
import mynah.options.EventsOptions;
import mynah.options.FaultsOptions;
import mynah.options.NotificationsOptions;
import mynah.options.PushSettings;
import mynah.options.RemoveDevicesOptions;
import mynah.options.RemoveFaultsOptions;
import mynah.options.RemoveNotificationsOptions;
import mynah.options.StartActivitiesOptions;

/** The calls of {@link Mynah} that are one request each. */
public abstract class MynahCalls {
    static final long LIST_MAX = 1000;

    final ControlApi control;

    MynahCalls(ControlApi control) {
        this.control = control;
    }

    /** Its name. */
    public abstract String name();

    /** Makes many devices of a kind, with numbers behind {@code id}; gives the first 1,000. */
    public Page<Device> addDevices(
        String id, long count, Collection<String> topics, UnaryOperator<DeviceSettings> options
    ) {
        Call call = new Call(control, "POST", "/v1/devices")
            .member("scope", name())
            .member("id", id)
            .member("count", count)
            .with(options.apply(new DeviceSettings()))
            .apps(topics);
        return Page.of(call.object(), one -> new Device(one, control));
    }

    /** Makes many devices of a kind, with numbers behind {@code id}; gives the first 1,000. */
    public Page<Device> addDevices(String id, long count, Collection<String> topics) {
        return addDevices(id, count, topics, options -> options);
    }

    /** Makes many devices of a kind, with numbers behind {@code id}; gives the first 1,000. */
    public Page<Device> addDevices(String id, long count, String topics, UnaryOperator<DeviceSettings> options) {
        return addDevices(id, count, List.of(topics), options);
    }

    /** Makes many devices of a kind, with numbers behind {@code id}; gives the first 1,000. */
    public Page<Device> addDevices(String id, long count, String topics) {
        return addDevices(id, count, List.of(topics), options -> options);
    }

    /** Makes a device with this id, in place of the one that has it. */
    public Device putDevice(String id, Collection<String> topics, UnaryOperator<DeviceSettings> options) {
        Call call = new Call(control, "PUT", "/v1/devices/", id)
            .member("scope", name())
            .with(options.apply(new DeviceSettings()))
            .apps(topics);
        return new Device(call.object(), control);
    }

    /** Makes a device with this id, in place of the one that has it. */
    public Device putDevice(String id, Collection<String> topics) {
        return putDevice(id, topics, options -> options);
    }

    /** Makes a device with this id, in place of the one that has it. */
    public Device putDevice(String id, String topics, UnaryOperator<DeviceSettings> options) {
        return putDevice(id, List.of(topics), options);
    }

    /** Makes a device with this id, in place of the one that has it. */
    public Device putDevice(String id, String topics) {
        return putDevice(id, List.of(topics), options -> options);
    }

    /** The device with this id, in whatever scope; an error with status 404 for an unknown one. */
    public Device findDevice(String id) {
        Call call = new Call(control, "GET", "/v1/devices/", id);
        return new Device(call.object(), control);
    }

    /** The devices by filters: by id, or by {@code sort}. */
    public Page<Device> devices(UnaryOperator<DevicesOptions> options) {
        Call call = new Call(control, "GET", "/v1/devices")
            .with(options.apply(new DevicesOptions().scope(name()).limit(LIST_MAX)));
        return Page.of(call.object(), one -> new Device(one, control));
    }

    /** The devices by filters: by id, or by {@code sort}. */
    public Page<Device> devices() {
        return devices(options -> options);
    }

    /** Changes all devices, or those of a user, as a device's {@code change} does one; gives how many. */
    public long changeDevices(@Nullable String user, UnaryOperator<ChangeDevicesOptions> options) {
        Call call = new Call(control, "PATCH", "/v1/devices")
            .query("user", user)
            .with(options.apply(new ChangeDevicesOptions().scope(name())));
        return call.counts("changed").get("devices");
    }

    /** Changes all devices, or those of a user, as a device's {@code change} does one; gives how many. */
    public long changeDevices(UnaryOperator<ChangeDevicesOptions> options) {
        return changeDevices(null, options);
    }

    /** Removes devices by filters; gives how many. */
    public long removeDevices(UnaryOperator<RemoveDevicesOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/devices")
            .with(options.apply(new RemoveDevicesOptions().scope(name())));
        return call.counts("removed").get("devices");
    }

    /** Removes devices by filters; gives how many. */
    public long removeDevices() {
        return removeDevices(options -> options);
    }

    /**
     * Starts a Live Activity on each device of this scope, or of a {@code user} in it, as {@code startActivity} does
     * on one.
     */
    public StartedActivities startActivities(
        String topic, String attributesType, UnaryOperator<StartActivitiesOptions> options
    ) {
        Call call = new Call(control, "POST", "/v1/activities")
            .query("scope", name())
            .member("topic", topic)
            .member("attributesType", attributesType)
            .with(options.apply(new StartActivitiesOptions()));
        return new StartedActivities(call.object());
    }

    /**
     * Starts a Live Activity on each device of this scope, or of a {@code user} in it, as {@code startActivity} does
     * on one.
     */
    public StartedActivities startActivities(String topic, String attributesType) {
        return startActivities(topic, attributesType, options -> options);
    }

    /**
     * Dismisses the Live Activities of this scope, of a {@code user} in it, or on a {@code channel}; gives how many.
     */
    public long dismissActivities(UnaryOperator<DismissActivitiesOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/activities")
            .query("scope", name())
            .with(options.apply(new DismissActivitiesOptions()));
        return call.counts("removed").get("activities");
    }

    /**
     * Dismisses the Live Activities of this scope, of a {@code user} in it, or on a {@code channel}; gives how many.
     */
    public long dismissActivities() {
        return dismissActivities(options -> options);
    }

    /** The rule with this id, in whatever scope; an error with status 404 for an unknown one. */
    public Fault findFault(String id) {
        Call call = new Call(control, "GET", "/v1/faults/", id);
        return new Fault(call.object(), control);
    }

    /** The rules in force by filters. */
    public Page<Fault> faults(UnaryOperator<FaultsOptions> options) {
        Call call = new Call(control, "GET", "/v1/faults")
            .with(options.apply(new FaultsOptions().scope(name()).limit(LIST_MAX)));
        return Page.of(call.object(), one -> new Fault(one, control));
    }

    /** The rules in force by filters. */
    public Page<Fault> faults() {
        return faults(options -> options);
    }

    /** Removes rules by filters; gives how many. */
    public long removeFaults(UnaryOperator<RemoveFaultsOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/faults")
            .with(options.apply(new RemoveFaultsOptions().scope(name())));
        return call.counts("removed").get("faults");
    }

    /** Removes rules by filters; gives how many. */
    public long removeFaults() {
        return removeFaults(options -> options);
    }

    /** Ends a scenario of this scope, and removes its rules; gives how many of each kind. */
    public Map<String, Long> removeScenario(String name) {
        Call call = new Call(control, "DELETE", "/v1/scenarios/", name)
            .query("scope", name());
        return call.counts("removed");
    }

    /** Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer. */
    public SentNotification send(UnaryOperator<PushSettings> options) {
        Call call = new Call(control, "POST", "/v1/notifications")
            .with(options.apply(new PushSettings()));
        return new SentNotification(call.object());
    }

    /** Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer. */
    public SentNotification send() {
        return send(options -> options);
    }

    /**
     * The pushes in the journal by filters, oldest first; with {@code wait}, once {@code count} match or with {@code
     * timedOut}.
     */
    public Page<Notification> notifications(UnaryOperator<NotificationsOptions> options) {
        Call call = new Call(control, "GET", "/v1/notifications")
            .with(options.apply(new NotificationsOptions().scope(name()).limit(LIST_MAX)));
        return Page.of(call.object(), Notification::new);
    }

    /**
     * The pushes in the journal by filters, oldest first; with {@code wait}, once {@code count} match or with {@code
     * timedOut}.
     */
    public Page<Notification> notifications() {
        return notifications(options -> options);
    }

    /** A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id. */
    public Notification notification(String id) {
        Call call = new Call(control, "GET", "/v1/notifications/", id);
        return new Notification(call.object());
    }

    /** A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id. */
    public Notification notification(long id) {
        return notification(String.valueOf(id));
    }

    /** Removes a push, by what {@code notification} takes; an error with status 404 if the journal hasn't got it. */
    public void removeNotification(String id) {
        new Call(control, "DELETE", "/v1/notifications/", id)
            .send();
    }

    /** Removes a push, by what {@code notification} takes; an error with status 404 if the journal hasn't got it. */
    public void removeNotification(long id) {
        removeNotification(String.valueOf(id));
    }

    /** Removes pushes from the journal by filters; gives how many. */
    public long removeNotifications(UnaryOperator<RemoveNotificationsOptions> options) {
        Call call = new Call(control, "DELETE", "/v1/notifications")
            .with(options.apply(new RemoveNotificationsOptions().scope(name())));
        return call.counts("removed").get("notifications");
    }

    /** Removes pushes from the journal by filters; gives how many. */
    public long removeNotifications() {
        return removeNotifications(options -> options);
    }

    /**
     * What happens, as it happens, by filters and kinds ({@code event}); with {@code after} later events than this
     * come first.
     */
    public EventStream events(UnaryOperator<EventsOptions> options) {
        Call call = new Call(control, "GET", "/v1/events")
            .with(options.apply(new EventsOptions().scope(name())));
        return call.events();
    }

    /**
     * What happens, as it happens, by filters and kinds ({@code event}); with {@code after} later events than this
     * come first.
     */
    public EventStream events() {
        return events(options -> options);
    }
}
