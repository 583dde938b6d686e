import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import mynah.ControlApi;
import mynah.Device;
import mynah.Event;
import mynah.EventStream;
import mynah.Filter;
import mynah.Json;
import mynah.Mynah;
import mynah.MynahServer;
import mynah.options.Options;

/** Answers what {@code test_java.py} asks: prints what each of the named methods gives, as a line of JSON. */
public final class Probe {
    private static final String TOPIC = "com.example.app";

    private Probe() {}

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Object told;
            try {
                told = Probe.class.getDeclaredMethod(name).invoke(null);
            } catch (InvocationTargetException error) {
                Throwable cause = error.getCause();
                told = List.of(cause.getClass().getSimpleName(), String.valueOf(cause.getMessage()));
            }
            System.out.println(Json.write(told));
        }
    }

    static Object started() throws Exception {
        MynahServer server = MynahServer.start(it -> it
            .devices("strict").seed(7).documentedReasons(true).tlsName("a.test", "b.test").logLevel("debug"));
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("seed", server.status().seed());
        told.put("host", server.host());
        told.put("url", server.url());
        told.put("files", List.of(
            Files.readString(server.caFile()).equals(server.ca()),
            Files.readString(server.keyFile()).equals(server.signingKey())
        ));
        told.put("streams", List.of(
            textOf(server.caStream()).equals(server.ca()), textOf(server.signingKeyStream()).equals(server.signingKey())
        ));
        Path file = server.caFile();
        HttpClient client = HttpClient.newBuilder().sslContext(server.sslContext()).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.apnsUrl() + "/3/device/ab"))
            .header("authorization", "bearer " + server.providerToken())
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
        told.put("answer", client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        server.close();
        told.put("remains", Files.exists(file));
        told.put("isLogged", !server.logLines().isEmpty());
        return told;
    }

    private static String textOf(InputStream stream) throws Exception {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    static Object wrongSetting() {
        return MynahServer.start(it -> it.seed("x"));
    }

    static Object wrongProgram() {
        return MynahServer.start(it -> it.binary(Path.of("/nowhere/mynah")));
    }

    static Object otherProgram() {
        return MynahServer.start(it -> it.binary(Path.of("/bin/false")));
    }

    static Object found() {
        return MynahServer.find().url();
    }

    /** A server that stays as long as this process. */
    static Object stays() throws Exception {
        System.out.println(MynahServer.start().url());
        new CountDownLatch(1).await();
        return null;
    }

    static Object ends() {
        return MynahServer.start().url();
    }

    static Object environment() {
        MynahServer server = MynahServer.connectFromEnvironment();
        try (Mynah mynah = server.openScope("a name: with / much in it, that is longer than a scope's name may be")) {
            mynah.device(TOPIC);
            Map<String, String> variables = new LinkedHashMap<>(System.getenv());
            variables.put("MYNAH_APNS_PORT", "tcp://10.0.0.1:2197");
            int ignored = MynahServer.connectFromEnvironment(variables).port();
            List<String> names = new ArrayList<>();
            server.scopes().forEach(one -> names.add(one.name()));
            return Map.of("name", mynah.name(), "names", names, "host", mynah.host(), "ignored", ignored);
        }
    }

    static Object wrongPort() {
        Map<String, String> variables = new LinkedHashMap<>(System.getenv());
        variables.put("MYNAH_APNS_PORT", "x");
        return MynahServer.connectFromEnvironment(variables);
    }

    static Object withoutToken() {
        return MynahServer.connect(System.getenv("MYNAH_URL").trim());
    }

    static Object withoutUrl() {
        return MynahServer.connectFromEnvironment(Map.of());
    }

    static Object late() {
        ControlApi control = new ControlApi(System.getenv("MYNAH_URL").trim(), System.getenv("MYNAH_CONTROL_TOKEN"));
        List<Map.Entry<String, String>> query = List.of(Map.entry("wait", "60s"), Map.entry("count", "1000000"));
        return control.call("GET", "/v1/notifications", query, null, Duration.ofMillis(50));
    }

    static Object wrongUrl() {
        return new ControlApi("https://a.test");
    }

    static Object wrongPath() {
        return new ControlApi("http://127.0.0.1:1").call("GET", "/a b");
    }

    static Object nullFilter() {
        return MynahServer.connectFromEnvironment().scope("a").expect(it -> it.reason(null));
    }

    static Object matcherInAList() {
        return MynahServer.connectFromEnvironment().scope("a").notifications(it -> it.topic(Filter.prefix("com.")));
    }

    static Object durations() {
        List<String> texts = new ArrayList<>();
        for (String one : List.of("PT0S", "PT5S", "PT90S", "PT2H", "PT0.25S", "PT1M0.5S")) {
            texts.add(Options.text(Duration.parse(one)));
        }
        return texts;
    }

    static Object shortDuration() {
        return Options.text(Duration.ofNanos(1));
    }

    static Object json() {
        String escapes = "\"\\ud83d\\ude00\\u0000\\\\ \\/\\n\"";
        return Json.read("{\"a\":[1,-2.5,1e3,18446744073709551615,true,null," + escapes + "],\"b\":{}}");
    }

    static Object wrongJson() {
        List<String> accepted = new ArrayList<>();
        List<String> wrong = List.of(
            "", "{", "[1,]", "01", "nul", "\"\\x\"", "\"\u0001\"", "1 2", "{\"a\" 1}", "[".repeat(9999)
        );
        for (String text : wrong) {
            try {
                Json.read(text);
                accepted.add(text);
            } catch (IllegalArgumentException error) {
                continue;
            }
        }
        return accepted;
    }

    /** Options can't be changed: a copy has one more. */
    static Object immutable() {
        mynah.options.DeviceChanges first = new mynah.options.DeviceChanges().user("kim");
        first.online(true).focus(null);
        Map<String, Object> both = new LinkedHashMap<>();
        both.put("first", first.group("body"));
        both.put("second", first.focus(null).group("body"));
        return both;
    }

    static Object stream() {
        MynahServer server = MynahServer.connectFromEnvironment();
        try (Mynah mynah = server.openScope("stream")) {
            Device phone = mynah.device(TOPIC);
            Map<String, ?> payload = Map.of("aps", Map.of("alert", "hi"));
            mynah.send(it -> it.token(phone.token()).topic(TOPIC).payload(payload));
            try (EventStream events = mynah.events(it -> it.event("notification").after(0))) {
                for (Event event : events) {
                    return phone.id().equals(event.data().get("device"));
                }
            }
            throw new IllegalStateException("the stream has ended");
        }
    }
}
