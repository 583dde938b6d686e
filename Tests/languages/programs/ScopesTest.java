import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import mynah.Mynah;
import mynah.MynahServer;
import mynah.junit.MynahExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What the extension gives; one of its tests fails. */
@ExtendWith(MynahExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class ScopesTest {
    private static final String TOPIC = "com.example.app";
    private static Mynah ofClass;

    private Mynah arranged;

    @BeforeAll
    static void keep(Mynah mynah) {
        ofClass = mynah;
        mynah.device(TOPIC);
    }

    @BeforeEach
    void arrange(Mynah mynah) {
        arranged = mynah;
        mynah.device(TOPIC, it -> it.user("kim"));
    }

    @RepeatedTest(2)
    void eachTestHasItsOwn(Mynah mynah, MynahServer server) {
        assertSame(arranged, mynah);
        assertSame(server, mynah.server());
        assertEquals(1, mynah.devices().matched());
        assertEquals(1, ofClass.devices().matched());
    }

    @Test
    void anUnmetExpectation(Mynah mynah) {
        String token = mynah.devices().items().get(0).token();
        Map<String, ?> payload = Map.of("aps", Map.of("alert", Map.of("title", "Olds")));
        mynah.send(it -> it.token(token).topic(TOPIC).payload(payload));
        mynah.expect(it -> it.topic(TOPIC).screen("/title", "News").within("0s"));
    }

    @AfterEach
    void isStillThere(Mynah mynah) {
        assertEquals(1, mynah.devices().matched());
    }
}
