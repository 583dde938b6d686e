package mynah;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import mynah.options.HitOptions;

/** A snapshot of a fault rule, with the members of the API. */
public final class Fault extends FaultCalls {
    Fault(Map<String, Object> document, ControlApi control) {
        super(document, control);
    }

    /** The rule once it has fired; an {@link UnmetError} if that takes longer than 5 s. */
    public Fault await() {
        return await(options -> options);
    }

    /** The rule once it has fired {@code hits} times in all; an {@link UnmetError} after {@code within}. */
    public Fault await(UnaryOperator<HitOptions> options) {
        HitOptions given = options.apply(new HitOptions().hits(1).within("5s"));
        Map<String, Object> query = given.group("query");
        Fault fault = new Fault(new Call(control, "GET", "/v1/faults/", id()).with(given).object(), control);
        if (!Boolean.TRUE.equals(fault.timedOut())) {
            return fault;
        }
        String told = "fault " + id() + " fired " + fault.fired() + " times within " + query.get("wait");
        String expected = ", expected " + query.get("hits") + "; ";
        Object match = fault.document().get("match");
        throw new UnmetError(told + expected + fault.matched() + " requests matched " + Json.write(match));
    }

    /** An action in the API's form: a status, a preset, a reason, or the API's object. */
    private static Map<String, Object> actionOf(Object action) {
        Map<String, Object> made = new LinkedHashMap<>();
        if (action instanceof Number) {
            made.put("type", "respond");
            made.put("status", action);
        } else if (action instanceof Map) {
            ((Map<?, ?>) action).forEach((name, value) -> made.put((String) name, value));
        } else if (action instanceof String) {
            Map<String, Map<String, Object>> presets = Words.presets();
            if (presets.containsKey(action)) {
                return new LinkedHashMap<>(presets.get(action));
            }
            if (!Words.REASONS.contains(action)) {
                List<String> known = new ArrayList<>(presets.keySet());
                String all = String.join(", ", known) + ", a reason of APNs, or the API's object";
                known.addAll(Words.REASONS);
                String hint = Texts.hintFor((String) action, known, all);
                throw new ArgumentException("unknown preset or reason " + Json.write(action) + ": " + hint);
            }
            made.put("type", "respond");
            made.put("reason", action);
        } else {
            String hint = "expected a status, a preset or a reason by its name, or a map with the API's object";
            throw new ArgumentException("wrong action " + action + ": " + hint);
        }
        return made;
    }

    /** One action with options of its own, or several in sequence, as members of a rule. */
    static Map<String, Object> actionsOf(Object action, Map<String, Object> options) {
        if (action instanceof Number || action instanceof String) {
            Map<String, Object> one = actionOf(action);
            // The body and the debug data are in its place.
            if (options.containsKey("body") || options.containsKey("debug")) {
                one.remove("reason");
            }
            one.putAll(options);
            return Map.of("action", one);
        }
        if (!options.isEmpty()) {
            String hint = "expected as a member of the action's object, or with one preset or status alone";
            throw new ArgumentException(String.join(", ", options.keySet()) + ": " + hint);
        }
        if (action instanceof List) {
            return Map.of(
                "actions", ((List<?>) action).stream().map(Fault::actionOf).collect(Collectors.toUnmodifiableList())
            );
        }
        return Map.of("action", actionOf(action));
    }
}
