package mynah;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The control API of one server; each call has its own connection, so anyone may make it at any time. */
public final class ControlApi {
    /** The longest wait of a list, 60 s, and a minute in which the machine may stand still. */
    static final Duration ANSWER_TIME = Duration.ofSeconds(120);
    private static final int HTTP_PORT = 80;
    /** How much of an answer that isn't a problem document an error's message shows. */
    private static final int SHOWN_CHARACTERS = 200;

    private final String url;
    private final String host;
    private final int port;
    @Nullable private final String token;

    /** The control API at a URL like {@code http://127.0.0.1:8197}. */
    public ControlApi(String url) {
        this(url, null);
    }

    /** The same; {@code token} is the bearer token of a server with {@code --control-token}. */
    public ControlApi(String url, @Nullable String token) {
        URI place = parsed(url);
        this.url = url.replaceAll("/+$", "");
        this.host = place.getHost().replaceAll("^\\[|\\]$", "");
        this.port = place.getPort() < 0 ? HTTP_PORT : place.getPort();
        this.token = token;
    }

    /** Its URL. */
    public String url() {
        return url;
    }

    String host() {
        return host;
    }

    /** The JSON of a call that must succeed, or its text if it isn't JSON; null if the answer has no body. */
    @Nullable
    public Object call(String method, String path) {
        return call(method, path, List.of(), null, ANSWER_TIME);
    }

    /**
     * The same with pairs of the query, and a body.
     *
     * @throws ControlException if the call is refused
     * @throws UnavailableException if no server answers within {@code time}, for each step
     */
    @Nullable
    public Object call(
        String method, String path, List<Map.Entry<String, String>> query, @Nullable Object body, Duration time
    ) {
        String call = method + " " + path;
        try (Answer answer = open(method, path, query, body, time)) {
            return result(call, answer);
        } catch (IOException error) {
            throw unavailable(call, error, time);
        }
    }

    EventStream events(String path, List<Map.Entry<String, String>> query) {
        String call = "GET " + path;
        Answer answer = null;
        try {
            answer = open("GET", path, query, null, ANSWER_TIME);
            if (answer.status() != 200) {
                result(call, answer);
            }
            return new EventStream(answer, error -> unavailable(call, error, ANSWER_TIME));
        } catch (IOException error) {
            close(answer);
            throw unavailable(call, error, ANSWER_TIME);
        } catch (RuntimeException error) {
            close(answer);
            throw error;
        }
    }

    private static void close(@Nullable Answer answer) {
        if (answer != null) {
            answer.close();
        }
    }

    private Answer open(
        String method, String path, List<Map.Entry<String, String>> query, @Nullable Object body, Duration time
    ) throws IOException {
        if (!path.matches("/[!-~]*")) {
            String hint = "expected one that begins with / and is ASCII without spaces";
            throw new ArgumentException("wrong path " + Json.write(path) + ": " + hint);
        }
        String written = query.stream()
            .map(pair -> Texts.escaped(pair.getKey()) + "=" + Texts.escaped(pair.getValue()))
            .collect(Collectors.joining("&"));
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("host", (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
        headers.put("accept-encoding", "identity");
        headers.put("connection", "close");
        if (token != null) {
            headers.put("authorization", "Bearer " + token);
        }
        byte[] content = body == null ? new byte[0] : Json.write(body).getBytes(StandardCharsets.UTF_8);
        if (body != null) {
            headers.put("content-type", "application/json");
        }
        if (body != null || List.of("POST", "PUT", "PATCH").contains(method)) {
            headers.put("content-length", String.valueOf(content.length));
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        StringBuilder head = new StringBuilder(method + " " + path + (written.isEmpty() ? "" : "?" + written));
        head.append(" HTTP/1.1\r\n");
        headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        request.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        request.write(content);
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(Math.toIntExact(time.toMillis()));
            socket.setTcpNoDelay(true);
            try {
                socket.connect(new InetSocketAddress(host, port), Math.toIntExact(time.toMillis()));
            } catch (IOException error) {
                throw new NotReached(error);
            }
            socket.getOutputStream().write(request.toByteArray());
            return new Answer(socket);
        } catch (IOException | RuntimeException error) {
            socket.close();
            throw error;
        }
    }

    private UnavailableException unavailable(String call, IOException error, Duration time) {
        if (error instanceof NotReached) {
            String why = error.getCause().getMessage();
            return new UnavailableException("no mynah at " + url + ": " + why + "; `mynah serve` starts one", error);
        }
        if (error instanceof SocketTimeoutException) {
            String limit = String.valueOf(time.toMillis() / 1000.0).replaceAll("\\.0$", "");
            return new UnavailableException(call + ": no answer from " + url + " within " + limit + " s", error);
        }
        String what = call + ": the connection to " + url + " ended before the answer did: ";
        return new UnavailableException(what + error.getMessage(), error);
    }

    private static Object result(String call, Answer answer) throws IOException {
        String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        if (answer.status() < 200 || answer.status() >= 300) {
            throw new ControlException(call, answer.status(), problemOf(text));
        }
        if (text.isEmpty()) {
            return null;
        }
        return answer.header("content-type", "json").contains("json") ? Json.read(text) : text;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> problemOf(String text) {
        try {
            Object problem = Json.read(text);
            if (problem instanceof Map) {
                return (Map<String, Object>) problem;
            }
        } catch (ArgumentException error) {
            // What follows shows it.
        }
        String shown = Json.write(text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS)));
        return Map.of("title", "not a problem document", "detail", shown + "; is this a mynah?");
    }

    private static URI parsed(String url) {
        try {
            URI place = new URI(url);
            if ("http".equals(place.getScheme()) && place.getHost() != null) {
                return place;
            }
        } catch (URISyntaxException error) {
            // What follows says what a URL is.
        }
        String hint = "expected a URL like http://127.0.0.1:8197";
        throw new ArgumentException("wrong control API " + Json.write(url) + ": " + hint);
    }

    /** There is no connection at all. */
    private static final class NotReached extends IOException {
        private static final long serialVersionUID = 1;

        NotReached(IOException cause) {
            super(cause);
        }
    }
}
