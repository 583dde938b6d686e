package mynah;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mynah.model.Credentials;

/** Files with the CA and the development key, for what wants files; they are removed with the process. */
final class CredentialFiles {
    private final Path folder;
    private final Path authority;
    private final Path key;

    CredentialFiles(Credentials credentials) {
        // Only its owner can read what is in it.
        folder = Folders.temporary();
        authority = folder.resolve("ca.pem");
        key = folder.resolve("AuthKey_" + credentials.keyId() + ".p8");
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
        try {
            Files.writeString(authority, credentials.ca());
            if (credentials.key() != null) {
                Files.writeString(key, credentials.key());
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    Path authority() {
        return authority;
    }

    Path key() {
        return key;
    }

    void remove() {
        Folders.remove(folder);
    }
}
