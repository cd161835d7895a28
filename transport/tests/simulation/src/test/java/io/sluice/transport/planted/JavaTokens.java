package io.sluice.transport.planted;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words and signs of a text of Java, without white space and comments. A string, a character or a text block is one
 * token, and so is a name or a number; of an operator each character is one.
 */
final class JavaTokens {
    private static final Pattern TOKEN_OR_COMMENT = Pattern.compile("""
        (?sx)
        (?<comment> //[^\\n]*+ | /\\*.*?\\*/ )
        | \"""(?:[^"\\\\]|\\\\.|"(?!""))*+\"""
        | "(?:[^"\\\\\\n]|\\\\.)*+"
        | '(?:[^'\\\\\\n]|\\\\.)*+'
        | [\\w$]++
        | \\S""", Pattern.UNICODE_CHARACTER_CLASS);

    private record Token(String text, int start, int end) {
    }

    /** The place of some tokens among others, as characters of the text. */
    record Span(int start, int end) {
    }

    private final List<Token> tokens;

    private JavaTokens(final List<Token> tokens) {
        this.tokens = tokens;
    }

    static JavaTokens of(final String text) {
        final List<Token> tokens = new ArrayList<>();
        final Matcher matcher = TOKEN_OR_COMMENT.matcher(text);
        while (matcher.find()) {
            if (matcher.group("comment") == null) {
                tokens.add(new Token(matcher.group(), matcher.start(), matcher.end()));
            }
        }
        return new JavaTokens(tokens);
    }

    boolean isEmpty() {
        return tokens.isEmpty();
    }

    /** {@return the words and signs alone, by which texts that differ in form only are equal} */
    List<String> texts() {
        return tokens.stream().map(Token::text).toList();
    }

    /** {@return everywhere that a part, which is not empty, stands} */
    List<Span> find(final JavaTokens part) {
        final List<String> texts = texts();
        final List<String> wanted = part.texts();
        final List<Span> found = new ArrayList<>();
        for (int i = 0; i + wanted.size() <= texts.size(); i++) {
            final int end = i + wanted.size();
            if (texts.subList(i, end).equals(wanted)) {
                found.add(new Span(tokens.get(i).start(), tokens.get(end - 1).end()));
            }
        }
        return found;
    }
}
