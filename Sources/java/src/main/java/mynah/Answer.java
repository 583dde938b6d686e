package mynah;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** An answer of HTTP/1.1, whose body is read as it comes. */
final class Answer implements AutoCloseable {
    private static final int LINE_MAX = 65_536;
    /** The length of a body that ends with the connection. */
    private static final long TO_THE_END = Long.MAX_VALUE;

    private final Socket socket;
    private final InputStream input;
    private final int status;
    private final Map<String, String> headers = new HashMap<>();

    Answer(Socket socket) throws IOException {
        this.socket = socket;
        this.input = new BufferedInputStream(socket.getInputStream());
        String first = line();
        if (!first.matches("HTTP/1\\.[01] \\d{3}( .*)?")) {
            throw new ProtocolException("not an answer of HTTP/1.1: " + Json.write(first));
        }
        status = Integer.parseInt(first.substring(9, 12));
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new ProtocolException("not a header: " + Json.write(line));
            }
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
        }
    }

    int status() {
        return status;
    }

    String header(String name, String otherwise) {
        return headers.getOrDefault(name, otherwise);
    }

    /** The body; reading it fails if the connection ends before it does. */
    InputStream body() {
        boolean isChunked = header("transfer-encoding", "").equalsIgnoreCase("chunked");
        String length = header("content-length", "");
        return new Body(isChunked, isChunked ? 0 : length.isEmpty() ? TO_THE_END : Long.parseLong(length));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException error) {
            // Nothing more is read or written.
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (int one = next(); one != '\n'; one = next()) {
            read.write(one);
            if (read.size() > LINE_MAX) {
                throw new ProtocolException("a line of more than " + LINE_MAX + " bytes");
            }
        }
        return new String(read.toByteArray(), StandardCharsets.UTF_8).replaceAll("\r$", "");
    }

    private int next() throws IOException {
        int one = input.read();
        if (one < 0) {
            throw new EOFException("end of the connection");
        }
        return one;
    }

    /** The bytes of the body, without what is between its chunks. */
    private final class Body extends InputStream {
        private final boolean isChunked;
        // Of the present chunk, or of all.
        private long left;
        private boolean hasBegun;
        private boolean hasEnded;

        Body(boolean isChunked, long length) {
            this.isChunked = isChunked;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0 && isChunked && !hasEnded) {
                beginChunk();
            }
            if (left == 0) {
                return -1;
            }
            int count = input.read(bytes, offset, (int) Math.min(left, length));
            if (left == TO_THE_END) {
                return count;
            }
            if (count < 0) {
                throw new EOFException("end of the connection");
            }
            left -= count;
            return count;
        }

        private void beginChunk() throws IOException {
            if (hasBegun) {
                line();
            }
            hasBegun = true;
            String size = line().split(";", 2)[0].trim();
            try {
                left = Long.parseLong(size, 16);
            } catch (NumberFormatException error) {
                throw new ProtocolException("not the size of a chunk: " + Json.write(size));
            }
            if (left == 0) {
                hasEnded = true;
                while (!line().isEmpty()) {
                    continue;
                }
            }
        }
    }
}
