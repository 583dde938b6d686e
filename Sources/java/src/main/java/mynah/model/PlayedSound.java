// Made by Sources/helpers/generate.py: change that, or what the program says.
package mynah.model;

import java.time.Instant;
import java.util.Map;

/** {@code PlayedSound} of the control API. */
public final class PlayedSound extends JsonRecord {
    public PlayedSound(Map<String, Object> document) {
        super(document);
    }

    /** The member {@code sequence}. */
    public long sequence() {
        return integer("sequence");
    }

    /** The member {@code topic}. */
    public String topic() {
        return text("topic");
    }

    /** The member {@code at}. */
    public Instant at() {
        return time("at");
    }

    /** The member {@code sound}. */
    public ScreenNotificationSound sound() {
        return object("sound", ScreenNotificationSound::new);
    }
}
