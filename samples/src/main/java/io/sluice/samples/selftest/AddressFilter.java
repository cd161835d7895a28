package io.sluice.samples.selftest;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes addresses out of text: GIDs, IP and MAC addresses, GUIDs, also in the names of devices, and local identifiers;
 * and paths, which have names of people, but for those that each system has.
 * Rather too much is taken than too little. Stateless.
 */
final class AddressFilter {
    /** Stands where an address was. */
    static final String PLACEHOLDER = "[address]";

    private static final String NO_LETTER_OR_DIGIT_BEFORE = "(?<![0-9A-Za-z])";
    private static final String NO_LETTER_OR_DIGIT_AFTER = "(?![0-9A-Za-z])";
    private static final String NUMBER = "(?:0x[0-9a-fA-F]+|[0-9]+)";

    /** Hexadecimal groups between colons, of which some are no addresses: {@link #isAddress}. */
    private static final Pattern GROUPS = Pattern.compile(
        "(?<![0-9A-Za-z_])[0-9a-fA-F]{0,4}:[0-9a-fA-F]{0,4}:[0-9a-fA-F:]*(?:(?:\\.[0-9]{1,3}){3})?"
            + "(?:%[\\w.-]+)?");
    private static final int MIN_COLONS = 3;

    private static final Pattern OTHERS = Pattern.compile(String.join("|",
        // IPv4
        "(?<![0-9])(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?![0-9])",
        // hardware addresses with dashes, or with dots
        NO_LETTER_OR_DIGIT_BEFORE + "(?:[0-9a-fA-F]{2}-){5,}[0-9a-fA-F]{2}" + NO_LETTER_OR_DIGIT_AFTER,
        NO_LETTER_OR_DIGIT_BEFORE + "(?:[0-9a-fA-F]{4}\\.){2,}[0-9a-fA-F]{4}" + NO_LETTER_OR_DIGIT_AFTER,
        // as 0x, and as udev names devices by GUID (rocex) and interfaces by hardware address (enx)
        "(?<=x)[0-9a-fA-F]{12,}" + NO_LETTER_OR_DIGIT_AFTER,
        // one without a letter is a number of something else, such as bytes
        NO_LETTER_OR_DIGIT_BEFORE + "(?=[0-9]*[a-fA-F])[0-9a-fA-F]{12,}" + NO_LETTER_OR_DIGIT_AFTER));

    /** Numbers that a word says to be addresses. */
    private static final Pattern NAMED = Pattern.compile(
        "((?<![A-Za-z])(?:[ds]|[a-z]+_)?[lL][iI][dD]|[a-zA-Z]L(?:id|ID)|local identifier|[gG][uU][iI][dD])"
            + "([ =:#]+)" + NUMBER);

    private static final String PATH_PLACEHOLDER = "[path]";
    private static final Pattern PATHS = Pattern.compile("(?<![\\w./\\])-])(?:/[^\\s/:;,()'\"=\\[\\]]+)+/?");
    private static final Pattern PATH_OF_EACH_SYSTEM =
        Pattern.compile("/(?:dev/infiniband|sys|proc|lib|lib64|usr/lib|usr/lib64|etc/libibverbs\\.d)(?:/.*)?");

    private AddressFilter() {
    }

    /** The text with a placeholder for each address. */
    static String clean(final String text) {
        final String withoutPaths = PATHS.matcher(text).replaceAll(AddressFilter::pathReplacement);
        final String withoutGroups = GROUPS.matcher(withoutPaths).replaceAll(AddressFilter::replacement);
        final String withoutOthers = OTHERS.matcher(withoutGroups).replaceAll(PLACEHOLDER);
        return NAMED.matcher(withoutOthers).replaceAll("$1$2" + PLACEHOLDER);
    }

    private static String pathReplacement(final MatchResult match) {
        return PATH_OF_EACH_SYSTEM.matcher(match.group()).matches()
            ? Matcher.quoteReplacement(match.group()) : PATH_PLACEHOLDER;
    }

    private static String replacement(final MatchResult match) {
        final String found = match.group();
        // it ends the words before it: "fe80::1: refused"
        final String address = found.endsWith(":") && !found.endsWith("::")
            ? found.substring(0, found.length() - 1) : found;
        return isAddress(address)
            ? PLACEHOLDER + found.substring(address.length()) : Matcher.quoteReplacement(found);
    }

    /** Tells an address from a time of day and from the place of a device on its bus, which have two colons apart. */
    private static boolean isAddress(final String groups) {
        return groups.contains("::") || groups.chars().filter(each -> each == ':').count() >= MIN_COLONS;
    }
}
