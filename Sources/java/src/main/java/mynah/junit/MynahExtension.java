package mynah.junit;

import mynah.Mynah;
import mynah.MynahServer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link Mynah} as a parameter: {@code @ExtendWith(MynahExtension.class)}.
 *
 * <p>Each test has a scope of its own, which {@code @BeforeEach} and {@code @AfterEach} share with it; it is removed at
 * the end of the test. In a constructor or in {@code @BeforeAll} it is a scope of the class. All share one
 * {@link MynahServer}, which may be a parameter, too: the one at {@code MYNAH_URL}, or one that is started with the
 * first test, and ends with the last one.
 */
public final class MynahExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(MynahExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Mynah.class || type == MynahServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        MynahServer server = server(context);
        if (parameter.getParameter().getType() == MynahServer.class) {
            return server;
        }
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        // Those of a class and of its tests differ.
        String key = context.getUniqueId();
        return store.getOrComputeIfAbsent(key, id -> new OpenScope(server.openScope(nameOf(context))), OpenScope.class)
            .scope;
    }

    /** The server of all tests: also for other extensions. */
    public static MynahServer server(ExtensionContext context) {
        ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent("server", key -> new SharedServer(), SharedServer.class).server;
    }

    private static String nameOf(ExtensionContext context) {
        String owner = context.getTestClass().map(Class::getSimpleName).orElse("");
        return context.getTestMethod().map(method -> owner + "." + method.getName()).orElse(owner);
    }

    /** A scope that JUnit closes at the end of its test. */
    private static final class OpenScope implements CloseableResource {
        private final Mynah scope;

        OpenScope(Mynah scope) {
            this.scope = scope;
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** A server that JUnit closes at the end of all tests. */
    private static final class SharedServer implements CloseableResource {
        private final MynahServer server = MynahServer.find();

        @Override
        public void close() {
            server.close();
        }
    }
}
