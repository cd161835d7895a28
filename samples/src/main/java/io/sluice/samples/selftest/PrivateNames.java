package io.sluice.samples.selftest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Takes the names of a host and of its user out of text. Immutable; any thread. */
final class PrivateNames {
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    /** The names that say nothing of anybody. */
    private static final List<String> OF_EVERYBODY = List.of("localhost", "root");
    private static final Pattern NAME = Pattern.compile("[\\w.-]{2,}");

    /** Placeholders of names, by the pattern of each. */
    private final Map<Pattern, String> names = new LinkedHashMap<>();

    PrivateNames(final String host, final String user) {
        // with the domain
        add(host, "(?:\\.[\\w-]+)*", "[host]");
        add(host.replaceFirst("\\..*", ""), "(?:\\.[\\w-]+)*", "[host]");
        add(user, "", "[user]");
    }

    private void add(final String name, final String rest, final String placeholder) {
        if (NAME.matcher(name).matches() && !OF_EVERYBODY.contains(name)) {
            names.put(Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + rest + "(?![\\w-])"), placeholder);
        }
    }

    /** The names of the host and the user of this process. */
    static PrivateNames ofSystem() {
        return new PrivateNames(host(), System.getProperty("user.name", ""));
    }

    private static String host() {
        try {
            return Files.readString(HOST).strip();
        } catch (final IOException e) {
            return "";
        }
    }

    /** The text with a placeholder for each name. */
    String clean(final String text) {
        String cleaned = text;
        for (final Map.Entry<Pattern, String> name : names.entrySet()) {
            cleaned = name.getKey().matcher(cleaned).replaceAll(name.getValue());
        }
        return cleaned;
    }
}
