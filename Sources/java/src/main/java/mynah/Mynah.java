package mynah;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import mynah.model.Scenario;
import mynah.options.AwaitOptions;
import mynah.options.DeviceOptions;
import mynah.options.Expectation;
import mynah.options.FaultRuleOptions;

/**
 * A server, and a scope in it.
 *
 * <p>Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
 * {@code scope(null)} extends them to the whole server. A push belongs to the scope of its device. Closing it removes
 * everything of the scope.
 */
public final class Mynah extends MynahCalls implements AutoCloseable {
    /** The longest {@code within}, and the longest {@code settle}, that the server accepts. */
    private static final Duration EXPECTATION_TIME = Duration.ofHours(1);

    private final MynahServer server;
    private final String name;
    /** The ids of rules outside the scope, which are removed with it. */
    private final Deque<String> sharedFaults = new ArrayDeque<>();

    Mynah(MynahServer server, String name) {
        super(server.control());
        this.server = server;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /** The server. */
    public MynahServer server() {
        return server;
    }

    // For the code under test

    /** The host for pushes. */
    public String host() {
        return server.host();
    }

    /** The port for pushes. */
    public int port() {
        return server.port();
    }

    /** The URL for pushes: {@code https://localhost:2197}. */
    public String apnsUrl() {
        return server.apnsUrl();
    }

    /** What trusts the server: {@code HttpClient.newBuilder().sslContext(…)}. */
    public SSLContext sslContext() {
        return server.sslContext();
    }

    /** The CA to trust, PEM, for what reads it from a stream. */
    public InputStream caStream() {
        return server.caStream();
    }

    /** The CA to trust, PEM. */
    public String ca() {
        return server.ca();
    }

    /** A file with the CA. */
    public Path caFile() {
        return server.caFile();
    }

    /** The development key that signs provider tokens, PEM. */
    public String signingKey() {
        return server.signingKey();
    }

    /** The same, for what reads it from a stream. */
    public InputStream signingKeyStream() {
        return server.signingKeyStream();
    }

    /** A file with the development key, an {@code AuthKey_<KEYID>.p8}. */
    public Path keyFile() {
        return server.keyFile();
    }

    /** The id of the development key. */
    public String keyId() {
        return server.keyId();
    }

    /** The team of the development key. */
    public String teamId() {
        return server.teamId();
    }

    /** A provider token that the server accepts, for {@code authorization: bearer …}. */
    public String providerToken() {
        return server.providerToken();
    }

    // To arrange

    /** Makes a device with an app. */
    public Device device(String topic) {
        return device(List.of(topic), options -> options);
    }

    /** Makes a device with an app; with {@code online(false)} it goes offline after its apps have got their tokens. */
    public Device device(String topic, UnaryOperator<DeviceOptions> options) {
        return device(List.of(topic), options);
    }

    /** Makes a device with several apps. */
    public Device device(Collection<String> topics) {
        return device(topics, options -> options);
    }

    /** The same with several apps. */
    public Device device(Collection<String> topics, UnaryOperator<DeviceOptions> options) {
        DeviceOptions given = options.apply(new DeviceOptions().online(true));
        Call call = new Call(control, "POST", "/v1/devices").member("scope", name).with(given).apps(topics);
        Device made = new Device(call.object(), control);
        boolean isOnline = (Boolean) given.group("own").get("online");
        return isOnline ? made : made.change(change -> change.online(false));
    }

    /** Adds a fault rule that answers with a status and its usual reason. */
    public Fault fault(int status) {
        return add(status, options -> options);
    }

    /** The same with a reason, how often, for which pushes: {@code fault(503, it -> it.times(2))}. */
    public Fault fault(int status, UnaryOperator<FaultRuleOptions> options) {
        return add(status, options);
    }

    /** Adds a fault rule by a preset or a reason of {@code mynah fault add}: {@code fault("goaway")}. */
    public Fault fault(String presetOrReason) {
        return add(presetOrReason, options -> options);
    }

    /**
     * The same with options, members of the action and of the rule, and filters: {@code fault("slow", it ->
     * it.delay("5s"))}.
     *
     * <p>Connections have no scope, so a rule with an action on connections or handshakes, like {@code "refuse"}, needs
     * {@code scope(null)}; it too is removed with the scope, but until then it also affects other tests.
     */
    public Fault fault(String presetOrReason, UnaryOperator<FaultRuleOptions> options) {
        return add(presetOrReason, options);
    }

    /** Adds a fault rule with an action as the API has it. */
    public Fault fault(Map<String, ?> action) {
        return add(action, options -> options);
    }

    /** The same with options. */
    public Fault fault(Map<String, ?> action, UnaryOperator<FaultRuleOptions> options) {
        return add(action, options);
    }

    /** Adds a fault rule with several actions, one after the other: {@code fault(List.of(503, "stall"))}. */
    public Fault fault(List<?> actions) {
        return add(actions, options -> options);
    }

    /** The same with options. */
    public Fault fault(List<?> actions, UnaryOperator<FaultRuleOptions> options) {
        return add(actions, options);
    }

    /**
     * Makes a fault rule with this id, in place of the one that has it.
     *
     * @param action what {@code fault} takes: a status, a name, the API's object, or a list of these
     */
    public Fault putFault(String id, Object action, UnaryOperator<FaultRuleOptions> options) {
        return ruled(new Call(control, "PUT", "/v1/faults/", id), action, options);
    }

    /** The same without options. */
    public Fault putFault(String id, Object action) {
        return putFault(id, action, options -> options);
    }

    /** Starts a scenario that is part of the program, for this scope. */
    public Scenario startScenario(String scenario) {
        return server.startScenario(scenario, name);
    }

    /** Starts a scenario of one's own, as the API has it, for this scope. */
    public Scenario startScenario(Map<String, ?> scenario) {
        return server.startScenario(scenario, name);
    }

    /** The clock of this scope's devices. */
    public Clock clock() {
        return new Clock(control, name);
    }

    // To assert

    /** The newest sequence number; as {@code after}, it selects later pushes. */
    public long lastSequence() {
        return notifications(options -> options.scope(null).limit(1)).lastSequence();
    }

    /** Waits for pushes like {@link #expect}, but gives the result also if it is unmet. */
    public ExpectationResult check(UnaryOperator<Expectation> options) {
        Expectation given = options.apply(new Expectation().scope(name));
        return checked(given.group("match"), given.group("counts"), given.group("matches"), given.group("limits"));
    }

    /** Waits until a push comes; an {@link ExpectationUnmet} otherwise. */
    public ExpectationResult expect() {
        return expect(options -> options);
    }

    /**
     * Waits until pushes match: one, {@code count} or more, {@code exactly} or at most {@code max} of them, for 5 s.
     *
     * <p>Filters are those of {@code POST /v1/expectations}: {@code it.topic("com.example.app").screen("/title",
     * "Hello")}. {@code settle} waits for further pushes, {@code inOrder} has a match for each;
     * {@code it.max(0).otherThan(…)} says that no push comes but those that these select. A broadcast is of no scope:
     * {@code it.channel(channel).scope(null)}.
     *
     * @throws ExpectationUnmet with the nearest pushes
     */
    public ExpectationResult expect(UnaryOperator<Expectation> options) {
        return met(check(options));
    }

    /** Waits for a push. */
    public List<Notification> await() {
        return await(options -> options);
    }

    /** Waits for {@code count} pushes that match, like {@link #expect}; gives at most 100 of them, oldest first. */
    public List<Notification> await(UnaryOperator<AwaitOptions> options) {
        AwaitOptions given = options.apply(new AwaitOptions().scope(name));
        return met(checked(given.group("match"), given.group("counts"), Map.of(), given.group("limits"))).items();
    }

    private static ExpectationResult met(ExpectationResult result) {
        if (!result.met()) {
            throw new ExpectationUnmet(result);
        }
        return result;
    }

    private ExpectationResult checked(
        Map<String, Object> match, Map<String, Object> counts, Map<String, Object> matches, Map<String, Object> limits
    ) {
        boolean isInOrder = matches.containsKey("inOrder");
        if (isInOrder && !(match.isEmpty() && counts.isEmpty())) {
            throw new ArgumentException("inOrder: leave out filters and counts; each step has its own filters");
        }
        if (counts.containsKey("exactly") && counts.size() > 1) {
            throw new ArgumentException("exactly: leave out count and max");
        }
        if (isInOrder && matches.size() > 1) {
            throw new ArgumentException("otherThan: leave it out, because inOrder lets others come in between");
        }
        Map<String, Object> body = new LinkedHashMap<>(matches);
        if (!isInOrder) {
            Map<String, Object> count = new LinkedHashMap<>(counts);
            Object least = count.remove("count");
            // "At most two" doesn't require one.
            if (least != null || counts.isEmpty()) {
                count.put("min", least == null ? (Object) 1L : least);
            }
            body.put("match", match);
            body.put("count", count);
        }
        body.putAll(limits);
        body.values().removeIf(value -> value == null);
        Duration longest = EXPECTATION_TIME.multipliedBy(2).plus(ControlApi.ANSWER_TIME);
        Call call = new Call(control, "POST", "/v1/expectations").members(body).within(longest);
        return new ExpectationResult(call.object(), body);
    }

    private Fault add(Object action, UnaryOperator<FaultRuleOptions> options) {
        return ruled(new Call(control, "POST", "/v1/faults"), action, options);
    }

    private Fault ruled(Call call, Object action, UnaryOperator<FaultRuleOptions> options) {
        FaultRuleOptions given = options.apply(new FaultRuleOptions().scope(name));
        Map<String, Object> rule = new LinkedHashMap<>(given.group("rule"));
        if (rule.get("scope") == null) {
            rule.remove("scope");
        }
        call.members(rule).member("match", given.group("match"));
        call.members(Fault.actionsOf(action, given.group("action")));
        Fault fault;
        try {
            fault = new Fault(call.object(), control);
        } catch (ControlException error) {
            boolean isOwn = name.equals(rule.get("scope")) && error.field() != null && error.field().endsWith("scope");
            // Nobody had asked for one.
            throw isOwn ? error.with("pass it.scope(null), for a rule of the whole server") : error;
        }
        if (!name.equals(fault.scope())) {
            sharedFaults.push(fault.id());
        }
        return fault;
    }

    // The end

    /** Removes everything of this scope; gives how many of each kind. */
    public Map<String, Long> remove() {
        while (!sharedFaults.isEmpty()) {
            try {
                new Call(control, "DELETE", "/v1/faults/", sharedFaults.pop()).send();
            } catch (ControlException error) {
                // The test has removed it.
                if (error.status() != 404) {
                    throw error;
                }
            }
        }
        return new Call(control, "DELETE", "/v1/scopes/", name).counts("removed");
    }

    /** Removes everything of this scope. */
    @Override
    public void close() {
        remove();
    }

    @Override
    public String toString() {
        return "Mynah " + name + " at " + server.url();
    }
}
