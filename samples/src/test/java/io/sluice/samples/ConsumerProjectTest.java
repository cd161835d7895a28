package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The consumer's project for Gradle says what its pom says, and both say what this build says. {@code .ci/artifacts}
 * runs both, Gradle's where there is a Gradle.
 */
class ConsumerProjectTest {
    private static final Path ROOT = Path.of("..");
    private static final Path CONSUMER = Path.of("consumer");

    private static String pom() throws IOException {
        return Files.readString(CONSUMER.resolve("pom.xml"));
    }

    private static String gradle() throws IOException {
        return Files.readString(CONSUMER.resolve("build.gradle"));
    }

    /** Returns what the group of an expression matches, each time. */
    private static List<String> all(final String expression, final String text) {
        return Pattern.compile(expression).matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static String one(final String expression, final String text) {
        final List<String> found = all(expression, text);
        assertEquals(1, found.size(), () -> expression + " in " + text);
        return found.getFirst();
    }

    @Test
    void shouldHaveTheVersionOfThisBuild() throws IOException {
        final String version = all("(?m)^ {4}<version>(.*)</version>$", Files.readString(ROOT.resolve("pom.xml")))
            .getFirst();
        assertEquals(version, one("<sluice\\.version>(.*)</sluice\\.version>", pom()));
        assertEquals(List.of(version, version), all("'io\\.sluice:[a-z-]+:(.*)'", gradle()), "the BOM and what it has");
    }

    @Test
    void shouldDependOnTheSameArtifacts() throws IOException {
        final List<String> inPom = Pattern.compile("<groupId>(io\\.sluice)</groupId>\\s*<artifactId>(.*)</artifactId>")
            .matcher(pom()).results().map(match -> match.group(1) + ":" + match.group(2)).toList();
        assertEquals(inPom, all("'(io\\.sluice:[a-z-]+):", gradle()));
        assertTrue(inPom.contains("io.sluice:sluice-transport"), inPom::toString);
    }

    @Test
    void shouldHaveTheSameProgramAndJava() throws IOException {
        final String main = one("<mainClass>(.*)</mainClass>", pom());
        assertEquals(main, one("'(demo\\..*)'\\]", gradle()));
        assertTrue(Files.exists(CONSUMER.resolve("src/main/java/" + main.replace('.', '/') + ".java")), main);
        assertEquals(main, one("'Main-Class': '(.*)'", gradle()));
        assertEquals(one("<maven\\.compiler\\.release>(.*)</maven\\.compiler\\.release>", pom()),
            one("'--release', '(\\d+)'", gradle()));
        assertEquals(one("<project\\.build\\.sourceEncoding>(.*)</", pom()),
            one("options\\.encoding = '(.*)'", gradle()));
        assertEquals("rootProject.name = '" + all("<artifactId>(.*)</artifactId>", pom()).getFirst() + "'\n",
            Files.readString(CONSUMER.resolve("settings.gradle")));
    }

    /** By the version of the tool that this build has. */
    @Test
    void shouldGenerateTheSameCodecs() throws IOException {
        final String version = one("<sbe\\.version>(.*)</sbe\\.version>", Files.readString(ROOT.resolve("pom.xml")));
        assertEquals(version, one("<artifactId>sbe-tool</artifactId>\\s*<version>(.*)</version>", pom()));
        assertEquals(version, one("'uk\\.co\\.real-logic:sbe-tool:(.*)'", gradle()));
        assertEquals(one("classname=\"(.*?)\"", pom()), one("'(uk\\.co\\.real_logic\\..*)'", gradle()));
        assertEquals(all("<sysproperty key=\"(.*?)\"", pom()), all("-D(sbe\\..*?)=", gradle()));
        assertEquals(all("<sysproperty key=\".*?\" value=\"(true|false)\"", pom()),
            all("-Dsbe\\..*?=(true|false)", gradle()));
        final String schema = one("<arg value=\"\\$\\{project\\.basedir}/(.*?)\"", pom());
        assertEquals(schema, one("file\\('(.*?)'\\)", gradle()));
        assertTrue(Files.exists(CONSUMER.resolve(schema)), schema);
    }

    /** The flags of the class path: a manifest has them in words of its own. */
    @Test
    void shouldHaveTheFlagsOfThisBuild() throws IOException {
        final List<String> flags = Files.readAllLines(ROOT.resolve(".config/jvm/access")).stream()
            .filter(line -> line.startsWith("--")).toList();
        assertEquals(flags, all("'(--[a-z-]+=.+)'", gradle()));
        final List<String> inManifest = Pattern.compile("<(Add-Opens|Enable-Native-Access)>(.*)</").matcher(pom())
            .results().map(ConsumerProjectTest::flag).toList();
        assertEquals(flags, inManifest);
        assertEquals(flags, Pattern.compile("'(Add-Opens|Enable-Native-Access)': '(.*)'").matcher(gradle())
            .results().map(ConsumerProjectTest::flag).toList());
    }

    private static String flag(final MatchResult entry) {
        return entry.group(1).equals("Add-Opens")
            ? "--add-opens=" + entry.group(2) + "=ALL-UNNAMED" : "--enable-native-access=" + entry.group(2);
    }
}
