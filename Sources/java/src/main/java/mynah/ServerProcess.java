package mynah;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import mynah.options.ServerSettings;

/** A {@code mynah exec} whose command waits for the end of its input, and so for the end of this process. */
final class ServerProcess {
    /** A machine may stand still for a minute; a process that ends is known at once. */
    private static final Duration READY_TIME = Duration.ofSeconds(120);
    private static final Duration STOP_TIME = Duration.ofSeconds(120);
    private static final String READY = "mynah ready ";
    /** Tells where the server is, and stays until this process ends or closes its end of the pipe. */
    private static final List<String> COMMAND = List.of(
        "sh", "-c", "echo \"mynah ready $MYNAH_URL $MYNAH_APNS_HOST $MYNAH_APNS_PORT\"; exec cat"
    );

    private final Process process;
    private final List<String> command;
    private final List<String> log = new ArrayList<>();
    private final Thread reader;
    @Nullable private final Path folder;
    @Nullable private final String token;
    private final String[] place;

    private ServerProcess(Process process, List<String> command, @Nullable Path folder, @Nullable String token) {
        this.process = process;
        this.command = command;
        this.folder = folder;
        this.token = token;
        this.reader = reading(process.getErrorStream(), this::log);
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
        this.place = awaitReady();
    }

    static ServerProcess start(ServerSettings settings) {
        Map<String, Object> own = settings.group("own");
        Map<String, Object> flags = settings.group("flags");
        Path program = own.get("binary") == null ? findProgram() : (Path) own.get("binary");
        Path given = (Path) own.get("folder");
        Path folder = given == null ? Folders.temporary() : given.toAbsolutePath();
        List<String> command = new ArrayList<>(List.of(program.toString(), "exec"));
        command.addAll(List.of("--state-dir", folder.resolve("state").toString()));
        flags.forEach((flag, value) -> command.addAll(flagOf(flag, value)));
        command.add("--");
        command.addAll(COMMAND);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MYNAH_"));
        // So that it doesn't read the user's mynah.yaml.
        environment.put("HOME", folder.toString());
        environment.put("XDG_RUNTIME_DIR", folder.toString());
        @SuppressWarnings("unchecked")
        Map<String, String> variables = (Map<String, String>) own.getOrDefault("variables", Map.of());
        environment.putAll(variables);
        Object token = flags.getOrDefault("control-token", variables.get("MYNAH_CONTROL_TOKEN"));
        try {
            Files.createDirectories(folder);
            return new ServerProcess(builder.start(), command, given == null ? folder : null, (String) token);
        } catch (IOException error) {
            if (given == null) {
                Folders.remove(folder);
            }
            throw new StartException(program + " cannot be run: " + error.getMessage(), error);
        }
    }

    String url() {
        return place[0];
    }

    String host() {
        return place[1];
    }

    int port() {
        return Integer.parseInt(place[2]);
    }

    @Nullable
    String token() {
        return token;
    }

    List<String> logLines() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    /** Ends it; an error if it has ended already with another code than 0, or does so now. */
    void stop() {
        boolean isInTime = end();
        if (!isInTime) {
            throw new MynahException("mynah did not end within " + STOP_TIME.toSeconds() + " s\n" + told());
        }
        if (process.exitValue() != 0) {
            throw new MynahException("mynah ended with " + process.exitValue() + "\n" + told());
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Whether it has ended in time; its own folder is removed. */
    private boolean end() {
        try {
            process.getOutputStream().close();
        } catch (IOException error) {
            // It has ended already.
        }
        try {
            boolean isInTime = process.waitFor(STOP_TIME.toMillis(), TimeUnit.MILLISECONDS);
            if (!isInTime) {
                process.destroyForcibly().waitFor();
            }
            reader.join();
            if (folder != null) {
                Folders.remove(folder);
            }
            return isInTime;
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            kill();
            return false;
        }
    }

    /** What its first line says behind {@code mynah ready}. */
    private String[] awaitReady() {
        CompletableFuture<String> first = new CompletableFuture<>();
        Thread output = reading(process.getInputStream(), first::complete);
        // Without a line, at its end.
        process.onExit().thenRun(() -> {
            try {
                output.join();
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
            first.complete("");
        });
        String why;
        try {
            String line = first.get(READY_TIME.toMillis(), TimeUnit.MILLISECONDS);
            if (line.startsWith(READY)) {
                return line.substring(READY.length()).split(" ");
            }
            why = line.isEmpty() ? "ended with " + process.waitFor() : "said " + Json.write(line);
        } catch (TimeoutException error) {
            why = "did not say that it is ready within " + READY_TIME.toSeconds() + " s";
        } catch (ExecutionException error) {
            throw new IllegalStateException(error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            why = "was interrupted";
        }
        kill();
        end();
        throw new StartException("mynah " + why + "\n" + told());
    }

    private void log(String line) {
        synchronized (log) {
            log.add(line);
        }
    }

    private String told() {
        String head = "--- " + String.join(" ", command);
        return head + "\n" + String.join("\n", logLines()) + "\n---";
    }

    private static Thread reading(InputStream stream, Consumer<String> each) {
        Thread thread = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                lines.lines().forEach(each);
            } catch (IOException | UncheckedIOException error) {
                each.accept("its output can't be read: " + error.getMessage());
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A setting as a flag of the program, or several. */
    private static List<String> flagOf(String flag, Object value) {
        String name = "--" + flag;
        if (Words.SWITCHES.contains(flag)) {
            return (Boolean) value ? List.of(name) : List.of();
        }
        List<String> written = new ArrayList<>();
        for (Object one : value instanceof Collection ? (Collection<?>) value : List.of(value)) {
            written.add(name);
            written.add(one instanceof Boolean ? ((Boolean) one ? "on" : "off") : one.toString());
        }
        return written;
    }

    /** The program: {@code MYNAH_BINARY}, or {@code mynah} on the {@code PATH}. */
    private static Path findProgram() {
        String chosen = new Environment(System.getenv()).text("MYNAH_BINARY");
        if (chosen != null) {
            if (isProgram(Path.of(chosen))) {
                return Path.of(chosen).toAbsolutePath();
            }
            throw new StartException("MYNAH_BINARY=" + chosen + " is not executable: expected the program mynah");
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path program = Path.of(folder, "mynah");
            if (!folder.isEmpty() && isProgram(program)) {
                return program.toAbsolutePath();
            }
        }
        String hint = "set MYNAH_BINARY to the program, or MYNAH_URL to a running server";
        throw new StartException("mynah is not on the PATH: " + hint);
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
