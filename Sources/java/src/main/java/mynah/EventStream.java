package mynah;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Events as they come: {@code for (Event event : stream)}; closing it ends the connection. */
public final class EventStream implements Iterable<Event>, Iterator<Event>, AutoCloseable {
    private final Answer answer;
    private final BufferedReader lines;
    private final Function<IOException, UnavailableException> failure;
    @Nullable private Event next;

    EventStream(Answer answer, Function<IOException, UnavailableException> failure) {
        this.answer = answer;
        this.failure = failure;
        this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    @Override
    public Iterator<Event> iterator() {
        return this;
    }

    /** Waits for an event; false at the end of the stream. */
    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                Map<String, String> block = block();
                if (block == null) {
                    return false;
                }
                next = eventOf(block);
            }
            return true;
        } catch (IOException error) {
            throw failure.apply(error);
        }
    }

    /** The next event, once there is one. */
    @Override
    public Event next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the stream has ended");
        }
        Event event = next;
        next = null;
        return event;
    }

    @Override
    public void close() {
        answer.close();
    }

    /** The fields of the next block; null at the end. */
    @Nullable
    private Map<String, String> block() throws IOException {
        Map<String, String> fields = new HashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                return fields;
            }
            int colon = line.indexOf(':');
            if (colon >= 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).replaceFirst("^ ", ""));
            }
        }
        return null;
    }

    /** An event; null for what only keeps the connection, or tells the number reached. */
    @Nullable
    @SuppressWarnings("unchecked")
    private static Event eventOf(Map<String, String> block) {
        if (!block.containsKey("data")) {
            return null;
        }
        String id = block.getOrDefault("id", "");
        Map<String, Object> data = (Map<String, Object>) Json.read(block.get("data"));
        return new Event(block.getOrDefault("event", "message"), id.isEmpty() ? null : Long.valueOf(id), data);
    }
}
