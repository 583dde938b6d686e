package mynah;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Texts of URLs, and words that may have been meant. */
final class Texts {
    /** How much of a word may differ from the one that was meant. */
    private static final double NEAR_SHARE = 0.4;
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";

    private Texts() {}

    /** A text as a part of a path or of a query. */
    static String escaped(String text) {
        StringBuilder written = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            if (PLAIN.indexOf(one) >= 0) {
                written.append((char) one);
            } else {
                written.append(String.format("%%%02X", one));
            }
        }
        return written.toString();
    }

    /** What may have been meant by a word, or what was expected. */
    static String hintFor(String word, List<String> known, String expected) {
        Optional<String> near = known.stream()
            .filter(one -> distance(word, one) <= NEAR_SHARE * Math.max(word.length(), one.length()))
            .min(Comparator.comparingInt(one -> distance(word, one)));
        return near.map(one -> "did you mean " + Json.write(one) + "?").orElse("expected " + expected);
    }

    /** How many letters have to be changed, added, removed or exchanged with their neighbours. */
    private static int distance(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int row = 0; row <= from.length(); row++) {
            for (int column = 0; column <= to.length(); column++) {
                if (row == 0 || column == 0) {
                    rows[row][column] = row + column;
                    continue;
                }
                boolean isSame = from.charAt(row - 1) == to.charAt(column - 1);
                int changed = rows[row - 1][column - 1] + (isSame ? 0 : 1);
                int least = Math.min(changed, Math.min(rows[row - 1][column], rows[row][column - 1]) + 1);
                boolean isExchanged = row > 1 && column > 1
                    && from.charAt(row - 1) == to.charAt(column - 2)
                    && from.charAt(row - 2) == to.charAt(column - 1);
                rows[row][column] = isExchanged ? Math.min(least, rows[row - 2][column - 2] + 1) : least;
            }
        }
        return rows[from.length()][to.length()];
    }
}
