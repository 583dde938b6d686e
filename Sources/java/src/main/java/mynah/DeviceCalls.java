// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import mynah.model.Arrival;
import mynah.model.JsonRecord;
import mynah.model.LiveActivity;
import mynah.model.Registration;
import mynah.model.Screen;
import mynah.model.ScreenNotification;
import mynah.options.ActivityChanges;
import mynah.options.ActivitySettings;
import mynah.options.AppOptions;
import mynah.options.AppSettings;
import mynah.options.ChangeAppOptions;
import mynah.options.DeviceChanges;
import mynah.options.DeviceEventsOptions;
import mynah.options.InboxOptions;
import mynah.options.SubscriptionSettings;
import mynah.options.UninstallOptions;

/** The calls of {@link Device} that are one request each. */
public abstract class DeviceCalls extends JsonRecord {
    final ControlApi control;

    DeviceCalls(Map<String, Object> document, ControlApi control) {
        super(document);
        this.control = control;
    }

    /** The member {@code id}. */
    public String id() {
        return text("id");
    }

    /** The member {@code scope}, or null. */
    @Nullable
    public String scope() {
        return text("scope");
    }

    /** The member {@code user}, or null. */
    @Nullable
    public String user() {
        return text("user");
    }

    /** The member {@code name}. */
    public String name() {
        return text("name");
    }

    /** The member {@code model}. */
    public String model() {
        return text("model");
    }

    /**
     * The member {@code platform}, one of {@code iOS}, {@code iPadOS}, {@code macOS}, {@code watchOS}, {@code tvOS},
     * {@code visionOS}.
     */
    public String platform() {
        return text("platform");
    }

    /** The member {@code osVersion}. */
    public String osVersion() {
        return text("osVersion");
    }

    /** The member {@code environment}, one of {@code sandbox}, {@code production}. */
    public String environment() {
        return text("environment");
    }

    /** The member {@code locale}. */
    public String locale() {
        return text("locale");
    }

    /** The member {@code online}. */
    public boolean online() {
        return flag("online");
    }

    /** The member {@code power}, one of {@code normal}, {@code low}, {@code asleep}. */
    public String power() {
        return text("power");
    }

    /** The member {@code focus}, or null. */
    @Nullable
    public Object focus() {
        return value("focus");
    }

    /** The member {@code languages}. */
    public List<String> languages() {
        return collection("languages");
    }

    /** The member {@code locked}. */
    public boolean locked() {
        return flag("locked");
    }

    /** The member {@code muted}. */
    public boolean muted() {
        return flag("muted");
    }

    /** The member {@code watch}, or null. */
    @Nullable
    public Object watch() {
        return value("watch");
    }

    /** The member {@code summary}, or null. */
    @Nullable
    public Object summary() {
        return value("summary");
    }

    /** The member {@code registrations}. */
    public List<Registration> registrations() {
        return objects("registrations", Registration::new);
    }

    /** The member {@code stored}. */
    public long stored() {
        return integer("stored");
    }

    /** The member {@code deferred}. */
    public long deferred() {
        return integer("deferred");
    }

    /** A new snapshot of the device. */
    public Device refresh() {
        Call call = new Call(control, "GET", "/v1/devices/", id());
        return new Device(call.object(), control);
    }

    /** Changes the device; stored pushes have been delivered when a change to {@code online} is answered. */
    public Device change(UnaryOperator<DeviceChanges> options) {
        Call call = new Call(control, "PATCH", "/v1/devices/", id())
            .with(options.apply(new DeviceChanges()));
        return new Device(call.object(), control);
    }

    /** Removes the device. */
    public void remove() {
        new Call(control, "DELETE", "/v1/devices/", id())
            .send();
    }

    /**
     * What arrives on the device, and what changes on it, as it happens. With {@code connect} it is online until this
     * is closed; {@code after} is the id of the last event that is known, 0 for everything in the inbox.
     */
    public EventStream events(UnaryOperator<DeviceEventsOptions> options) {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/stream")
            .with(options.apply(new DeviceEventsOptions()));
        return call.events();
    }

    /**
     * What arrives on the device, and what changes on it, as it happens. With {@code connect} it is online until this
     * is closed; {@code after} is the id of the last event that is known, 0 for everything in the inbox.
     */
    public EventStream events() {
        return events(options -> options);
    }

    /** Its apps as they are now. */
    public List<Registration> apps() {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/registrations");
        return Page.of(call.object(), Registration::new).items();
    }

    /** An app as it is now; {@code environment} is by default the device's. */
    public Registration app(String topic, UnaryOperator<AppOptions> options) {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/registrations/", topic)
            .with(options.apply(new AppOptions()));
        return new Registration(call.object());
    }

    /** An app as it is now; {@code environment} is by default the device's. */
    public Registration app(String topic) {
        return app(topic, options -> options);
    }

    /** Installs an app, or launches it again. */
    public Device install(String topic, UnaryOperator<AppSettings> options) {
        new Call(control, "POST", "/v1/devices/", id(), "/registrations")
            .member("topic", topic)
            .with(options.apply(new AppSettings()))
            .send();
        return refresh();
    }

    /** Installs an app, or launches it again. */
    public Device install(String topic) {
        return install(topic, options -> options);
    }

    /** Changes an app. */
    public Device changeApp(String topic, UnaryOperator<ChangeAppOptions> options) {
        new Call(control, "PATCH", "/v1/devices/", id(), "/registrations/", topic)
            .with(options.apply(new ChangeAppOptions()))
            .send();
        return refresh();
    }

    /** Removes an app; its token is Unregistered from then on. */
    public Device uninstall(String topic, UnaryOperator<UninstallOptions> options) {
        new Call(control, "DELETE", "/v1/devices/", id(), "/registrations/", topic)
            .with(options.apply(new UninstallOptions()))
            .send();
        return refresh();
    }

    /** Removes an app; its token is Unregistered from then on. */
    public Device uninstall(String topic) {
        return uninstall(topic, options -> options);
    }

    /**
     * The arrivals in the order of delivery; with {@code wait}, once {@code count} arrived or with {@code timedOut}.
     */
    public Page<Arrival> inbox(UnaryOperator<InboxOptions> options) {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/inbox")
            .with(options.apply(new InboxOptions()));
        return Page.of(call.object(), Arrival::new);
    }

    /**
     * The arrivals in the order of delivery; with {@code wait}, once {@code count} arrived or with {@code timedOut}.
     */
    public Page<Arrival> inbox() {
        return inbox(options -> options);
    }

    /** What the user sees. */
    public Screen screen() {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/screen");
        return new Screen(call.object());
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(long notification, String action, @Nullable String text) {
        new Call(control, "POST", "/v1/devices/", id(), "/screen/", notification, "/actions")
            .member("action", action)
            .member("text", text)
            .send();
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(ScreenNotification notification, String action, String text) {
        act(notification.sequence(), action, text);
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(long notification, String action) {
        act(notification, action, null);
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(ScreenNotification notification, String action) {
        act(notification.sequence(), action, null);
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(long notification) {
        act(notification, "default", null);
    }

    /** Opens a notification, or chooses one of its actions, as the user does. */
    public void act(ScreenNotification notification) {
        act(notification.sequence(), "default", null);
    }

    /** Clears a notification, as the user does. */
    public void dismiss(long notification) {
        new Call(control, "DELETE", "/v1/devices/", id(), "/screen/", notification)
            .send();
    }

    /** Clears a notification, as the user does. */
    public void dismiss(ScreenNotification notification) {
        dismiss(notification.sequence());
    }

    /** Its Live Activities, newest first, with those that are dismissed. */
    public List<LiveActivity> activities() {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/activities");
        return Page.of(call.object(), LiveActivity::new).items();
    }

    /** A Live Activity as it is now. */
    public LiveActivity activity(String activity) {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/activities/", activity);
        return new LiveActivity(call.object());
    }

    /** A Live Activity as it is now. */
    public LiveActivity activity(LiveActivity activity) {
        return activity(activity.id());
    }

    /** Starts a Live Activity as its app does. */
    public LiveActivity startActivity(String topic, String attributesType, UnaryOperator<ActivitySettings> options) {
        Call call = new Call(control, "POST", "/v1/devices/", id(), "/activities")
            .member("topic", topic)
            .member("attributesType", attributesType)
            .with(options.apply(new ActivitySettings()));
        return new LiveActivity(call.object());
    }

    /** Starts a Live Activity as its app does. */
    public LiveActivity startActivity(String topic, String attributesType) {
        return startActivity(topic, attributesType, options -> options);
    }

    /** Changes what a Live Activity shows, as its app does. */
    public LiveActivity updateActivity(String activity, UnaryOperator<ActivityChanges> options) {
        Call call = new Call(control, "PATCH", "/v1/devices/", id(), "/activities/", activity)
            .with(options.apply(new ActivityChanges()));
        return new LiveActivity(call.object());
    }

    /** Changes what a Live Activity shows, as its app does. */
    public LiveActivity updateActivity(LiveActivity activity, UnaryOperator<ActivityChanges> options) {
        return updateActivity(activity.id(), options);
    }

    /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
    public LiveActivity endActivity(String activity, UnaryOperator<ActivityChanges> options) {
        Call call = new Call(control, "PATCH", "/v1/devices/", id(), "/activities/", activity)
            .member("state", "ended")
            .with(options.apply(new ActivityChanges()));
        return new LiveActivity(call.object());
    }

    /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
    public LiveActivity endActivity(String activity) {
        return endActivity(activity, options -> options);
    }

    /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
    public LiveActivity endActivity(LiveActivity activity, UnaryOperator<ActivityChanges> options) {
        return endActivity(activity.id(), options);
    }

    /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
    public LiveActivity endActivity(LiveActivity activity) {
        return endActivity(activity.id(), options -> options);
    }

    /** Takes a Live Activity off the screen, as the user does. */
    public void dismissActivity(String activity) {
        new Call(control, "DELETE", "/v1/devices/", id(), "/activities/", activity)
            .send();
    }

    /** Takes a Live Activity off the screen, as the user does. */
    public void dismissActivity(LiveActivity activity) {
        dismissActivity(activity.id());
    }

    /** Its running Live Activities that follow channels, newest first. */
    public List<LiveActivity> subscriptions() {
        Call call = new Call(control, "GET", "/v1/devices/", id(), "/subscriptions");
        return Page.of(call.object(), LiveActivity::new).items();
    }

    /** Subscribes the device to a channel, by a Live Activity that its app starts. */
    public LiveActivity subscribe(String channel, UnaryOperator<SubscriptionSettings> options) {
        Call call = new Call(control, "POST", "/v1/devices/", id(), "/subscriptions")
            .member("channel", channel)
            .with(options.apply(new SubscriptionSettings()));
        return new LiveActivity(call.object());
    }

    /** Subscribes the device to a channel, by a Live Activity that its app starts. */
    public LiveActivity subscribe(String channel) {
        return subscribe(channel, options -> options);
    }

    /** Dismisses the Live Activities that follow a channel, as the user does; gives how many. */
    public long unsubscribe(String channel) {
        Call call = new Call(control, "DELETE", "/v1/devices/", id(), "/subscriptions/", channel);
        return call.counts("removed").get("activities");
    }
}
