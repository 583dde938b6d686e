package mynah;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import mynah.model.Arrival;
import mynah.model.Registration;
import mynah.options.ArrivalOptions;

/** A snapshot of a device, with the members of the API; methods that change the device give a new one. */
public final class Device extends DeviceCalls {
    Device(Map<String, Object> document, ControlApi control) {
        super(document, control);
    }

    /** The token of its only app; for several, see {@link #tokenOf}. */
    public String token() {
        List<String> topics =
            registrations().stream().map(Registration::topic).distinct().sorted().collect(Collectors.toList());
        if (topics.size() == 1) {
            return tokenOf(topics.get(0));
        }
        String hint = "use tokenOf() with one of " + Json.write(topics);
        throw new MissingException("device " + id() + " has " + topics.size() + " apps: " + hint);
    }

    /** The present token of an app. */
    public String tokenOf(String topic) {
        String token = null;
        String why = "it has no app " + topic;
        for (Registration app : registrations()) {
            if (app.topic().equals(topic)) {
                token = app.token() == null ? token : app.token();
                why = "its app " + topic + " is " + app.state();
            }
        }
        if (token == null) {
            throw new MissingException("device " + id() + " has no token: " + why);
        }
        return token;
    }

    /** An arrival, once there is one; an {@link UnmetError} if that takes longer than 5 s. */
    public Page<Arrival> await() {
        return await(options -> options);
    }

    /** The arrivals, once there are {@code count}; an {@link UnmetError} if that takes longer than {@code within}. */
    public Page<Arrival> await(UnaryOperator<ArrivalOptions> options) {
        ArrivalOptions given = options.apply(new ArrivalOptions().count(1).within("5s"));
        Map<String, Object> query = given.group("query");
        Page<Arrival> page = Page.of(
            new Call(control, "GET", "/v1/devices/", id(), "/inbox").with(given).object(), Arrival::new
        );
        if (!page.timedOut()) {
            return page;
        }
        String what = query.containsKey("kind") ? "pushes of kind " + query.get("kind") : "pushes";
        List<Long> numbers = page.stream().map(Arrival::sequence).collect(Collectors.toList());
        String told = page.matched() + " " + what + " arrived on " + id() + " within " + query.get("wait");
        throw new UnmetError(told + ", expected " + query.get("count") + ": " + numbers);
    }

    /** Removes the notifications of all apps, as the user does; gives how many. */
    public long clear() {
        return cleared(new Call(control, "DELETE", "/v1/devices/", id(), "/screen"));
    }

    /** Removes the notifications of an app, as it or the user does; gives how many. */
    public long clear(String topic) {
        return cleared(new Call(control, "DELETE", "/v1/devices/", id(), "/screen").query("topic", topic));
    }

    /** Removes those with these identifiers, collapse ids or apns-ids; gives how many. */
    public long clear(String topic, Collection<String> identifiers) {
        if (identifiers.isEmpty()) {
            return 0;
        }
        Call call = new Call(control, "DELETE", "/v1/devices/", id(), "/screen");
        return cleared(call.query("topic", topic).query("identifier", identifiers));
    }

    /** Sets the number on an app's icon, as the app does; 0 removes it. */
    public void setBadge(String topic, long badge) {
        new Call(control, "PATCH", "/v1/devices/", id(), "/screen").member("badges", Map.of(topic, badge)).send();
    }

    private static long cleared(Call call) {
        return call.counts("removed").get("notifications");
    }
}
