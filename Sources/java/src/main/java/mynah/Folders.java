package mynah;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folders for the time of a process. */
final class Folders {
    private Folders() {}

    static Path temporary() {
        try {
            return Files.createTempDirectory("mynah-java-");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Removes a folder with all that is in it; it may have been removed. */
    static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> inner = found.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
            for (Path one : inner) {
                Files.deleteIfExists(one);
            }
        } catch (NoSuchFileException error) {
            // Somebody else removes it.
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
