package mynah;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The control API refused a call ({@code application/problem+json}). */
public final class ControlException extends MynahException {
    private static final long serialVersionUID = 1;

    private final String call;
    private final int status;
    private final transient Map<String, Object> problem;

    ControlException(String call, int status, Map<String, Object> problem) {
        super(message(call, status, problem));
        this.call = call;
        this.status = status;
        this.problem = problem;
    }

    /** The same, whose message and detail say in addition what to do. */
    ControlException with(String hint) {
        Map<String, Object> told = new LinkedHashMap<>(problem);
        told.put("detail", detail() + ": " + hint);
        return new ControlException(call, status, told);
    }

    /** The call: method and path. */
    public String call() {
        return call;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }

    /** What kind of problem it is: {@code urn:mynah:problem:not-found}. */
    public String type() {
        return (String) problem.getOrDefault("type", "about:blank");
    }

    /** The same for a reader. */
    public String title() {
        return (String) problem.getOrDefault("title", "");
    }

    /** What is wrong. */
    public String detail() {
        return detailOf(problem);
    }

    /** A parameter's name, or a member's JSON pointer. */
    @Nullable
    public String field() {
        return (String) problem.get("field");
    }

    /** The values that are right, if they can be listed. */
    public List<String> allowed() {
        return allowedOf(problem);
    }

    private static String message(String call, int status, Map<String, Object> problem) {
        String detail = detailOf(problem);
        Object subject = problem.get("field") == null ? problem.get("title") : problem.get("field");
        String what = Stream.of(subject, detail)
            .filter(Objects::nonNull)
            .map(Object::toString)
            .filter(one -> !one.isEmpty())
            .collect(Collectors.joining(": "));
        List<String> allowed = allowedOf(problem);
        // Most details name them.
        boolean isNamed = allowed.stream().allMatch(detail::contains);
        String rest = isNamed ? "" : " (allowed: " + String.join(", ", allowed) + ")";
        return call + " was answered " + status + ": " + what + rest;
    }

    private static String detailOf(Map<String, Object> problem) {
        Object detail = problem.get("detail");
        return detail == null ? "" : detail.toString();
    }

    @SuppressWarnings("unchecked")
    private static List<String> allowedOf(Map<String, Object> problem) {
        Object allowed = problem.get("allowed");
        return allowed == null ? List.of() : (List<String>) allowed;
    }
}
