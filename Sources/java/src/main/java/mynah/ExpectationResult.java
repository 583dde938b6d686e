package mynah;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mynah.model.ExpectationResultNearestDifferences;
import mynah.model.JsonRecord;

/** The result of an expectation; as text like the output of {@code mynah expect}. */
public final class ExpectationResult extends JsonRecord {
    /** The most characters of a value in a message. */
    private static final int VALUE_CHARACTERS = 400;
    /** How much of a device's id a message shows. */
    private static final int DEVICE_CHARACTERS = 24;
    /** Where the time of day is in a time. */
    private static final int TIME_START = 11;
    private static final int TIME_END = 23;
    /** Control characters, and those that change the direction of writing. */
    private static final String HARMFUL = "[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]";

    private final Map<String, Object> expectation;

    ExpectationResult(Map<String, Object> document, Map<String, Object> expectation) {
        super(document);
        this.expectation = expectation;
    }

    /** Whether it is met. */
    public boolean met() {
        return flag("met");
    }

    /** How many pushes matched. */
    public long matched() {
        return integer("matched");
    }

    /** The pushes that matched, oldest first; at most 100. */
    public List<Notification> items() {
        return objects("items", Notification::new);
    }

    /** The step of {@code inOrder} that has no push, from 0. */
    @Nullable
    public Long failedAt() {
        return integer("failedAt");
    }

    /** The pushes that came nearest, if it is unmet. */
    public List<Near> nearest() {
        return objects("nearest", Near::new);
    }

    /** What may be the cause. */
    public List<String> hints() {
        return collection("hints");
    }

    /** How many pushes are no longer kept. */
    public long evicted() {
        return integer("evicted");
    }

    /** The newest sequence number. */
    public long lastSequence() {
        return integer("lastSequence");
    }

    /** The only push that matched. */
    public Notification push() {
        if (matched() != 1) {
            throw new MissingException(matched() + " pushes matched: expected one");
        }
        return items().get(0);
    }

    /** A push that came near, and what differs. */
    public static final class Near extends JsonRecord {
        Near(Map<String, Object> document) {
            super(document);
        }

        /** The push. */
        public Notification push() {
            return object("push", Notification::new);
        }

        /** What differs from what was expected. */
        public List<ExpectationResultNearestDifferences> differences() {
            return objects("differences", ExpectationResultNearestDifferences::new);
        }

        private Stream<String> lines() {
            Notification push = push();
            String device = push.device();
            String time = (String) push.document().get("receivedAt");
            String facts = Stream.of(
                "push " + push.sequence(),
                time.substring(TIME_START, TIME_END),
                push.status() == null ? push.outcome() : push.status() + " " + push.outcome(),
                push.topic(),
                device == null ? null : device.substring(0, Math.min(device.length(), DEVICE_CHARACTERS))
            ).filter(Objects::nonNull).map(ExpectationResult::printable).collect(Collectors.joining(", "));
            Stream<String> differing = differences().stream().flatMap(one -> Stream.of(
                "  - " + printable(one.field()) + " " + valueText(one.expected()),
                "  + " + printable(one.field()) + " " + valueText(one.actual())
            ));
            return Stream.concat(Stream.of("near miss: " + facts + " (- expected, + actual)"), differing);
        }
    }

    @Override
    public String toString() {
        List<String> lines = new ArrayList<>(List.of(verdict()));
        if (!met() && failedAt() != null) {
            lines.add("step " + failedAt() + " of inOrder has no push");
        }
        nearest().forEach(near -> near.lines().forEach(lines::add));
        hints().forEach(hint -> lines.add("hint: " + printable(hint)));
        return String.join("\n", lines);
    }

    private String verdict() {
        String pushes = matched() == 1 ? "1 push matched" : matched() + " pushes matched";
        List<Notification> items = items();
        if (!items.isEmpty()) {
            String numbers = items.stream().map(one -> "" + one.sequence()).collect(Collectors.joining(", "));
            pushes += ": " + numbers + (matched() > items.size() ? ", …" : "");
        }
        return met() ? "met: " + pushes : "unmet: " + pushes + "; expected " + wanted();
    }

    /** What was expected: {@code at least 1 within 5s}. */
    private String wanted() {
        Object within = expectation.getOrDefault("within", "5s");
        Object settle = expectation.get("settle");
        String quiet = settle == null ? "" : ", and then " + settle + " of quiet";
        Object inOrder = expectation.get("inOrder");
        if (inOrder instanceof List && !((List<?>) inOrder).isEmpty()) {
            return ((List<?>) inOrder).size() + " in order within " + within;
        }
        Map<?, ?> count = (Map<?, ?>) expectation.get("count");
        Long exactly = (Long) count.get("exactly");
        Long most = exactly == null ? (Long) count.get("max") : exactly;
        Long given = exactly == null ? (Long) count.get("min") : exactly;
        long least = given != null ? given : most == null ? 1 : 0;
        return (least == 0 ? range(least, most) : range(least, most) + " within " + within) + quiet;
    }

    private static String range(long least, @Nullable Long most) {
        if (most == null) {
            return "at least " + least;
        }
        if (most == 0) {
            return "none";
        }
        if (most == least) {
            return "exactly " + least;
        }
        return least == 0 ? "at most " + most : least + " to " + most;
    }

    private static String valueText(@Nullable Object value) {
        String text = Json.write(value);
        int characters = text.codePointCount(0, text.length());
        if (characters <= VALUE_CHARACTERS) {
            return printable(text);
        }
        String shown = text.substring(0, text.offsetByCodePoints(0, VALUE_CHARACTERS));
        return printable(shown + "… (" + characters + " characters)");
    }

    private static String printable(String text) {
        return text.replaceAll(HARMFUL, " ");
    }
}
