import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import mynah.ArgumentException;
import mynah.ControlException;
import mynah.Event;
import mynah.EventStream;
import mynah.ExpectationResult;
import mynah.ExpectationUnmet;
import mynah.Filter;
import mynah.Json;
import mynah.MissingException;
import mynah.MynahException;
import mynah.MynahServer;
import mynah.Page;
import mynah.UnmetError;
import mynah.model.JsonRecord;
import mynah.options.Options;

/** Plays vectors with the Java package: reads a command a line, and answers with a line. README.md has the commands. */
public final class Player {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    /** Objects of Java have a method wait. */
    private static final Map<String, String> CALLS = Map.of("wait", "await");
    /** Each value has a call of its own. */
    private static final Map<String, String> SETTERS = Map.of("headers", "header");
    private static final List<Class<?>> ERRORS = List.of(
        ArgumentException.class, ControlException.class, ExpectationUnmet.class, MissingException.class,
        MynahException.class, UnmetError.class
    );

    private final Map<String, Object> objects = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        Player player = new Player();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Map<String, Object> command = mapOf(Json.read(line));
            Object answer;
            try {
                answer = player.play(command);
            } catch (InvocationTargetException error) {
                answer = Map.of("error", told(error.getCause()));
            } catch (MynahException error) {
                answer = Map.of("error", told(error));
            }
            output.println(Json.write(answer));
        }
    }

    private static Map<String, Object> told(Throwable error) throws Exception {
        if (ERRORS.stream().noneMatch(kind -> kind.isInstance(error))) {
            throw new Exception(error);
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("kind", error.getClass().getSimpleName().replaceFirst("Exception$", "Error"));
        told.put("message", error.getMessage());
        if (error instanceof ControlException) {
            ControlException refused = (ControlException) error;
            told.put("status", refused.status());
            told.put("field", refused.field());
            told.put("allowed", refused.allowed());
            told.put("type", refused.type());
        }
        return told;
    }

    private Object play(Map<String, Object> command) throws Exception {
        switch ((String) command.get("do")) {
            case "connect":
                objects.clear();
                MynahServer server = MynahServer.connect((String) command.get("url"));
                objects.put("server", server);
                objects.put("mynah", server.scope((String) command.get("name")));
                return Map.of();
            case "call":
                Object result = call(
                    find((String) command.get("on")), (String) command.get("call"), listOf(command.get("arguments")),
                    mapOf(command.get("options"))
                );
                if (command.get("take") != null) {
                    result = taken((EventStream) result, (Long) command.get("take"));
                }
                if (command.get("saved") != null) {
                    objects.put((String) command.get("saved"), result);
                }
                return Map.of();
            case "read":
                Map<String, Object> values = new LinkedHashMap<>();
                for (Object path : listOf(command.get("paths"))) {
                    values.put((String) path, plain(find((String) path)));
                }
                return Map.of("values", values);
            default:
                throw new IllegalArgumentException("unknown command " + command);
        }
    }

    private static List<Event> taken(EventStream stream, long count) {
        try (stream) {
            List<Event> events = new ArrayList<>();
            while (events.size() < count) {
                events.add(stream.next());
            }
            return events;
        }
    }

    // Objects

    /** An object, or what is in it: {@code phone/registrations/0/topic}. */
    private Object find(String path) throws ReflectiveOperationException {
        String[] names = path.split("/");
        Object value = objects.get(names[0]);
        for (String name : Arrays.asList(names).subList(1, names.length)) {
            value = member(value, name);
        }
        return value;
    }

    private static Object member(Object value, String name) throws ReflectiveOperationException {
        if (value instanceof Map) {
            return ((Map<?, ?>) value).get(name);
        }
        if (value instanceof List) {
            return ((List<?>) value).get(Integer.parseInt(name));
        }
        if (value instanceof ExpectationResult && name.equals("text")) {
            return value.toString();
        }
        return value.getClass().getMethod(name).invoke(value);
    }

    private static Object plain(Object value) {
        if (value instanceof Instant) {
            return TIME.format((Instant) value);
        }
        if (value instanceof JsonRecord) {
            return ((JsonRecord) value).document();
        }
        if (value instanceof Page) {
            return plain(((Page<?>) value).items());
        }
        if (value instanceof List) {
            return ((List<?>) value).stream().map(Player::plain).collect(Collectors.toList());
        }
        return value;
    }

    // Calls

    private Object call(Object object, String given, List<Object> values, Map<String, Object> options)
        throws ReflectiveOperationException {
        String name = CALLS.getOrDefault(given, given);
        List<Object> arguments = new ArrayList<>();
        for (Object value : values) {
            boolean isObject = value instanceof Map && mapOf(value).containsKey("$");
            arguments.add(isObject ? find((String) mapOf(value).get("$")) : value);
        }
        // What is named elsewhere, and isn't more than that, is an argument or a method here.
        if (name.equals("advance") && options.containsKey("to")) {
            return invoke(object, "advanceTo", List.of(options.get("to")), Map.of());
        }
        if (name.equals("clear")) {
            return invoke(object, name, new ArrayList<>(options.values()), Map.of());
        }
        return invoke(object, name, arguments, options);
    }

    private static Object invoke(Object object, String name, List<Object> arguments, Map<String, Object> options)
        throws ReflectiveOperationException {
        int count = arguments.size() + (options.isEmpty() ? 0 : 1);
        for (Method method : object.getClass().getMethods()) {
            Class<?>[] kinds = method.getParameterTypes();
            boolean hasOptions = kinds.length > 0 && kinds[kinds.length - 1] == UnaryOperator.class;
            if (!method.getName().equals(name) || kinds.length != count || hasOptions == options.isEmpty()
                || method.isBridge()) {
                continue;
            }
            Object[] given = new Object[count];
            boolean fits = true;
            for (int index = 0; index < arguments.size(); index++) {
                fits = fits && fits(kinds[index], arguments.get(index));
                given[index] = fits ? converted(kinds[index], arguments.get(index)) : null;
            }
            if (fits) {
                if (hasOptions) {
                    Type kind = method.getGenericParameterTypes()[count - 1];
                    given[count - 1] = setting(((ParameterizedType) kind).getActualTypeArguments()[0], options);
                }
                return method.invoke(object, given);
            }
        }
        String what = object.getClass() + " has no " + name;
        throw new NoSuchMethodException(what + " for " + arguments + " and " + options);
    }

    private static boolean fits(Class<?> kind, Object value) {
        if (value == null) {
            return !kind.isPrimitive();
        }
        if (kind == Instant.class) {
            return value instanceof String;
        }
        return kind == long.class || kind == int.class ? value instanceof Long : kind.isInstance(value);
    }

    private static Object converted(Class<?> kind, Object value) {
        if (kind == Instant.class && value != null) {
            return Instant.parse((String) value);
        }
        return kind == int.class ? (Object) Math.toIntExact((Long) value) : value;
    }

    // Options

    private static UnaryOperator<Object> setting(Type kind, Map<String, Object> values) {
        return options -> {
            Object set = options;
            for (Map.Entry<String, Object> one : values.entrySet()) {
                set = set((Options<?>) set, one.getKey(), one.getValue());
            }
            return set;
        };
    }

    private static Object set(Options<?> options, String given, Object value) {
        String name = SETTERS.getOrDefault(given, given);
        boolean isFilter = method(options, name, Object.class, Object[].class) != null;
        // A condition within them has this form, too.
        if (given.equals("match")) {
            Object set = options;
            for (Map.Entry<String, Object> one : mapOf(value).entrySet()) {
                set = set((Options<?>) set, one.getKey(), one.getValue());
            }
            return set;
        }
        if (method(options, name, String.class, Object.class, Object[].class) != null) {
            Object set = options;
            for (Map.Entry<String, Object> one : mapOf(value).entrySet()) {
                Object[] all = filters(one.getValue());
                Method method = method(options, name, String.class, Object.class, Object[].class);
                set = invoked(method, set, one.getKey(), all[0], Arrays.copyOfRange(all, 1, all.length));
            }
            return set;
        }
        if (isFilter) {
            Object[] all = filters(value);
            Object[] others = Arrays.copyOfRange(all, 1, all.length);
            return invoked(method(options, name, Object.class, Object[].class), options, all[0], others);
        }
        if (method(options, name, UnaryOperator[].class) != null) {
            Object matches = Array.newInstance(UnaryOperator.class, listOf(value).size());
            for (int index = 0; index < listOf(value).size(); index++) {
                Array.set(matches, index, setting(null, mapOf(listOf(value).get(index))));
            }
            return invoked(method(options, name, UnaryOperator[].class), options, matches);
        }
        if (method(options, name, String.class, String[].class) != null) {
            List<Object> all = value instanceof List ? listOf(value) : List.of(value);
            String[] others = all.subList(1, all.size()).toArray(new String[0]);
            return invoked(method(options, name, String.class, String[].class), options, all.get(0), others);
        }
        for (Method method : options.getClass().getMethods()) {
            Class<?>[] kinds = method.getParameterTypes();
            boolean isSetter = method.getName().equals(name) && kinds.length == 1 && !method.isBridge()
                && method.getReturnType() == options.getClass();
            if (isSetter && (fits(kinds[0], value) || kinds[0] == boolean.class)) {
                return invoked(method, options, converted(kinds[0], value));
            }
        }
        throw new IllegalStateException(options.getClass() + " has no " + name + " for " + value);
    }

    private static Object[] filters(Object value) {
        List<Object> all = value instanceof List ? listOf(value) : List.of(value);
        return all.stream().map(Player::filter).toArray();
    }

    private static Object filter(Object value) {
        if (!(value instanceof Map)) {
            return value;
        }
        Map.Entry<String, Object> condition = mapOf(value).entrySet().iterator().next();
        for (Method method : Filter.class.getMethods()) {
            if (!method.getName().equals(condition.getKey())) {
                continue;
            }
            Object[] all = filters(condition.getValue());
            return method.isVarArgs()
                ? invoked(method, null, all[0], Arrays.copyOfRange(all, 1, all.length))
                : invoked(method, null, all[0]);
        }
        throw new IllegalStateException("Filter has no " + condition);
    }

    private static Method method(Object object, String name, Class<?>... kinds) {
        try {
            return object.getClass().getMethod(name, kinds);
        } catch (NoSuchMethodException error) {
            return null;
        }
    }

    private static Object invoked(Method method, Object object, Object... arguments) {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof RuntimeException) {
                throw (RuntimeException) error.getCause();
            }
            throw new IllegalStateException(error);
        } catch (IllegalAccessException error) {
            throw new IllegalStateException(error);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> mapOf(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> listOf(Object value) {
        return new ArrayList<>((Collection<Object>) value);
    }
}
