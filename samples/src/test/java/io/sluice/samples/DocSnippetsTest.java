package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Every block of Java in a page for people compiles, with the names in scope that its page has spoken of.
 */
class DocSnippetsTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]*)\\n(.*?)^```$");
    /** A line that begins or ends a block for any renderer, also an indented one. */
    private static final Pattern FENCE = Pattern.compile("(?m)^[ >]*(?:`{3,}|~{3,}).*$");
    /** The end of a line of Java, or a line of a block that is one. */
    private static final Pattern JAVA_LINE = Pattern.compile(
        "(?m)^ *(?:import |final |try \\(|public |for \\(|while \\().*[;{] *$|^ *[\\w.]+\\(.*\\); *(?://.*)?$");
    private static final Set<String> LANGUAGES = Set.of("", "text", "java", "xml");

    /** The declarations that pages take for granted. */
    private static final String BEFORE = """
        import static java.util.concurrent.TimeUnit.SECONDS;
        import io.sluice.samples.marketdata.TradeDecoder;
        import io.sluice.environment.*;
        import io.sluice.metrics.*;
        import io.sluice.metrics.micrometer.*;
        import io.sluice.rpma.*;
        import io.sluice.transport.*;
        import io.sluice.transport.status.*;
        import io.sluice.verbs.*;
        import io.sluice.verbs.rdma.*;
        import org.agrona.DirectBuffer;
        import org.agrona.ExpandableArrayBuffer;
        import org.agrona.MutableDirectBuffer;
        import org.agrona.concurrent.ShutdownSignalBarrier;
        import java.util.concurrent.atomic.AtomicBoolean;
        class Block {
            interface Desk { void warn(Object change); }
            Context context;
            Transport transport;
            Publication publication;
            DirectBuffer buffer;
            Desk desk;
            MessageEventHandler bookBuilder, statistics, journal;
            Subscription subscription;
            HandlerGraph graph;
            FragmentHandler rest;
            org.agrona.ErrorHandler errorHandler;
            java.util.concurrent.atomic.LongAdder volume;
            java.net.InetSocketAddress socketAddress;
            io.micrometer.core.instrument.MeterRegistry registry;
            String address;
            void block() throws Exception {
        """;
    private static final String AFTER = "\n}\n}\n";

    @Test
    void shouldCompileEveryBlockOfJava() throws IOException {
        final List<String> failures = new ArrayList<>();
        int blocks = 0;
        for (final Path page : Pages.below(Path.of(".."))) {
            for (final MatchResult block : JAVA_BLOCK.matcher(Files.readString(page)).results().toList()) {
                blocks++;
                final String body = block.group(1).replace("…", "");
                // A constant that a page declares is a local variable here.
                final String local = body.replaceFirst("^final Context context", "final Context itsContext");
                final String messages = compile(BEFORE + local + AFTER);
                if (!messages.isEmpty()) {
                    failures.add(page + ":\n" + body + messages);
                }
            }
        }
        final int found = blocks;
        assertTrue(found > 3, () -> "blocks of Java found: " + found);
        assertEquals(List.of(), failures);
    }

    /** So that no block of Java is called something else. */
    @Test
    void shouldCallEveryBlockWhatItIs() throws IOException {
        final List<String> wrong = new ArrayList<>();
        for (final Path page : Pages.below(Path.of(".."))) {
            final String text = Files.readString(page);
            final List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
            final long fences = FENCE.matcher(text).results().count();
            if (fences != 2L * blocks.size()) {
                wrong.add(page + " has fences that are indented, not closed or of another kind");
            }
            for (final MatchResult block : blocks) {
                if (!LANGUAGES.contains(block.group(1))
                    || !block.group(1).equals("java") && JAVA_LINE.matcher(block.group(2)).find()) {
                    wrong.add(page + ": " + block.group());
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldFindWhatDoesNotCompile() throws IOException {
        assertEquals("", compile(BEFORE + "publication.offer(buffer, 0, 8);" + AFTER));
        assertTrue(compile(BEFORE + "publication.ofer(buffer, 0, 8);" + AFTER).contains("ofer"));
        assertTrue(JAVA_LINE.matcher("publication.offer(buffer); // tried again\n").find());
        assertTrue(JAVA_LINE.matcher("final int length = 7;\n").find());
    }

    @Test
    void shouldReadEveryFolderWithPages() throws IOException {
        final Path root = Path.of("..");
        final Set<String> pages = Pages.below(root).stream().map(page -> root.relativize(page).toString())
            .collect(Collectors.toSet());
        for (final String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "native/README.md",
            "native/lab/README.md", "perf/README.md", "docs/architecture.md", "docs/decisions/002-wire.md",
            "docs/guide/getting-started.md")) {
            assertTrue(pages.contains(page), page);
        }
    }

    private static String compile(final String source) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter output = new StringWriter();
        final URI name = URI.create("string:///Block.java");
        final JavaFileObject file = new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(final boolean ignoreEncodingErrors) {
                return source;
            }
        };
        final Path out = Files.createTempDirectory("sluice-snippets");
        try {
            final boolean isCompiled = compiler.getTask(
                output, null, null,
                List.of("-proc:none", "-d", out.toString(), "-cp", System.getProperty("java.class.path")),
                null, List.of(file)).call();
            return isCompiled ? "" : output.toString();
        } finally {
            try (Stream<Path> files = Files.walk(out)) {
                for (final Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
