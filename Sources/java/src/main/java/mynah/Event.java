package mynah;

import java.util.Map;

/** What has happened, as a stream tells it. */
public final class Event {
    private final String event;
    @Nullable private final Long id;
    private final Map<String, Object> data;

    Event(String event, @Nullable Long id, Map<String, Object> data) {
        this.event = event;
        this.id = id;
        this.data = data;
    }

    /** Its kind: {@code notification}. */
    public String event() {
        return event;
    }

    /** Its number; as {@code after} it selects later ones. */
    @Nullable
    public Long id() {
        return id;
    }

    /** What it tells, as the API has it. */
    public Map<String, Object> data() {
        return data;
    }

    @Override
    public String toString() {
        return event + " " + id + " " + Json.write(data);
    }
}
