package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.Transport;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The page that a newcomer follows: its project is built with its commands, its program runs with its flags and prints
 * what the page says, and what it names of the build is what the build has.
 */
@Timeout(300)
class GettingStartedTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/guide/getting-started.md");
    private static final Path PARENT = ROOT.resolve("pom.xml");
    private static final Path TRANSPORT = ROOT.resolve("transport/pom.xml");
    /** Folders of the modules that are released, with their artifacts. */
    private static final Map<String, String> MODULES =
        Map.of("native", "sluice-verbs", "codec", "sluice-codec", "transport", "sluice-transport");
    private static final String PLUGINS = "org.apache.maven.plugins:";
    /** The page's command; no plugin comes from anywhere here, so the goals are named with those that are there. */
    private static final String MVN = "mvn -q compile dependency:build-classpath ";
    private static final String JDK = "/path/to/jdk-25";
    private static final Pattern FLAG = Pattern.compile("--(?:add-opens|enable-native-access)[= ][\\w./=-]+");

    @TempDir
    private Path folder;

    private final List<Path> links = new ArrayList<>();

    /** Deletes links before the folder is deleted: nobody is to follow them. */
    @AfterEach
    void deleteLinks() throws IOException {
        for (final Path link : links) {
            Files.delete(link);
        }
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /** The block of a language that begins so. */
    private static String block(final String page, final String language, final String beginning) {
        final List<String> blocks = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(page).results()
            .map(block -> block.group(1)).filter(block -> block.startsWith(beginning)).toList();
        assertEquals(1, blocks.size(), () -> language + " blocks that begin with " + beginning);
        return blocks.getFirst();
    }

    private static Document xml(final String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The text of an element on a path, in which {@code element[text]} is the one that has a child with that text. */
    private static String text(final Document document, final String... path) {
        Node at = document.getDocumentElement();
        for (final String name : path) {
            at = child(at, name);
        }
        return at.getTextContent().strip();
    }

    private static Node child(final Node parent, final String name) {
        final String[] parts = name.split("[\\[\\]]");
        final List<Node> found = children(parent).stream().filter(node -> node.getNodeName().equals(parts[0]))
            .filter(node -> parts.length == 1
                || children(node).stream().anyMatch(grandchild -> grandchild.getTextContent().strip().equals(parts[1])))
            .toList();
        assertEquals(1, found.size(), () -> name + " in " + parent.getNodeName());
        return found.getFirst();
    }

    private static List<Node> children(final Node parent) {
        final List<Node> children = new ArrayList<>();
        final NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element) {
                children.add(nodes.item(i));
            }
        }
        return children;
    }

    @Test
    void shouldHaveTheCoordinatesAndVersionsOfThisBuild() throws Exception {
        final Document own = xml(block(page(), "xml", "<project"));
        final Document parent = xml(Files.readString(PARENT));
        final Document transport = xml(Files.readString(TRANSPORT));
        assertEquals(text(parent, "groupId"), text(own, "dependencies", "dependency", "groupId"));
        assertEquals(text(transport, "artifactId"), text(own, "dependencies", "dependency", "artifactId"));
        assertEquals(text(parent, "version"), text(own, "dependencies", "dependency", "version"));
        for (final String property : List.of("maven.compiler.release", "project.build.sourceEncoding")) {
            assertEquals(text(parent, "properties", property), text(own, "properties", property), property);
        }
        assertEquals(text(parent, "properties", "compiler-plugin.version"),
            text(own, "build", "plugins", "plugin[maven-compiler-plugin]", "version"));
        assertTrue(page().contains("| JDK | " + text(own, "properties", "maven.compiler.release") + " or later |"));
    }

    /** An older JDK names it, and says nothing else that could be searched for. */
    @Test
    void shouldNameTheVersionOfItsClassFiles() throws IOException {
        final String version;
        try (DataInputStream file =
            new DataInputStream(Transport.class.getResourceAsStream(Transport.class.getSimpleName() + ".class"))) {
            file.readInt();
            file.readUnsignedShort();
            version = file.readUnsignedShort() + ".0";
        }
        for (final String said : List.of("class file version ", "wrong version ", "major.minor version ")) {
            for (final Path page : List.of(PAGE, PAGE.resolveSibling("troubleshooting.md"))) {
                assertTrue(Files.readString(page).contains(said + version), () -> page + ": " + said + version);
            }
        }
    }

    @Test
    void shouldHaveOneVersionInAllCoordinates() throws Exception {
        final Document parent = xml(Files.readString(PARENT));
        final Set<String> ours = new TreeSet<>();
        for (final Node module : children(child(parent.getDocumentElement(), "modules"))) {
            final Path folderOfModule = ROOT.resolve(module.getTextContent().strip());
            final Document pom = xml(Files.readString(folderOfModule.resolve("pom.xml")));
            ours.add(text(parent, "groupId") + ":" + text(pom, "artifactId") + ":" + text(parent, "version"));
        }
        final Set<String> named = new TreeSet<>();
        for (final Path page : Pages.below(ROOT)) {
            Pattern.compile("io\\.sluice:[\\w.-]+:[\\w.-]+").matcher(Files.readString(page)).results()
                .map(MatchResult::group).forEach(named::add);
        }
        assertTrue(!named.isEmpty(), "the coordinates in the README");
        assertEquals(List.of(), named.stream().filter(name -> !ours.contains(name)).toList());
    }

    @Test
    void shouldNameWhatComesWithIt() throws Exception {
        final Set<String> expected = new TreeSet<>();
        for (final Node dependency : children(child(xml(Files.readString(TRANSPORT)).getDocumentElement(),
            "dependencies"))) {
            if (children(dependency).stream().noneMatch(node -> node.getNodeName().equals("scope"))) {
                expected.add(child(dependency, "artifactId").getTextContent().strip());
            }
        }
        final String sentence = page().lines().filter(line -> line.contains(" come with it")).findFirst().orElseThrow();
        final Set<String> named = new TreeSet<>(DocsTest.codes(sentence));
        named.addAll(sentence.contains("Agrona") ? List.of("agrona") : List.of());
        named.addAll(sentence.contains("the LMAX Disruptor") ? List.of("disruptor") : List.of());
        assertEquals(expected, named);
    }

    /** The flags of the class path are those of the build; those of the module path name modules that there are. */
    @Test
    void shouldNameTheFlagsOfThisBuild() throws Exception {
        final Set<String> listed = new TreeSet<>();
        DocsTest.rows(PAGE, "flag").forEach(row -> listed.addAll(DocsTest.codes(row.getFirst())));
        final Set<String> expected = new TreeSet<>();
        for (final String flag : flags(Files.readString(ROOT.resolve(".config/jvm/access")))) {
            expected.add(flag);
            expected.add(flag.replace("ALL-UNNAMED", flag.startsWith("--add-opens") ? agrona() : verbs()));
        }
        assertEquals(expected, listed);
        final List<String> unknown = new ArrayList<>();
        for (final Path page : Pages.below(ROOT)) {
            flags(Files.readString(page)).stream().filter(flag -> !listed.contains(flag))
                .forEach(flag -> unknown.add(ROOT.relativize(page) + ": " + flag));
        }
        assertEquals(List.of(), unknown);
    }

    private static List<String> flags(final String text) {
        return FLAG.matcher(text).results().map(MatchResult::group).map(flag -> flag.replaceFirst("[= ]", "="))
            .toList();
    }

    private static String agrona() {
        final Path jar = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of)
            .filter(path -> path.getFileName().toString().startsWith("agrona-")).findFirst().orElseThrow();
        return ModuleFinder.of(jar).findAll().stream().map(ModuleReference::descriptor).findFirst().orElseThrow()
            .name();
    }

    private static String verbs() throws IOException {
        final String source = Files.readString(ROOT.resolve("native/src/main/java/module-info.java"));
        return Pattern.compile("(?m)^(?:open )?module ([\\w.]+)").matcher(source).results().findFirst().orElseThrow()
            .group(1);
    }

    @Test
    void shouldBuildAndRunTheFirstProgram() throws Exception {
        final Path project = project();
        run(project, block(page(), "text", "export JAVA_HOME"));
    }

    @Test
    @Tag("slow")
    void shouldBuildAndRunItAsAModule() throws Exception {
        final Path project = project();
        addDescriptor(project);
        run(project, environment() + block(page(), "text", "mvn -q compile"));
    }

    /** The program runs as far as jlink goes, which links no jar without a descriptor. */
    @Test
    @Tag("slow")
    void shouldRunItWithAJavaThatIsLinkedForIt() throws Exception {
        assumeTrue(links(), "this JDK has no jlink, or nothing to link from");
        final Path project = project();
        addDescriptor(project);
        run(project, environment() + block(page(), "text", "mvn -q compile"));
        run(project, environment() + block(page(), "text", "jlink --output"));
        final String release = Files.readString(project.resolve("runtime/release"));
        assertTrue(release.contains("MODULES=\"java.base ") && !release.contains("jdk.jlink"), release);
    }

    @Test
    @Tag("slow")
    void shouldRunFromACacheOfLoadedClasses() throws Exception {
        final Path project = project();
        run(project, block(page(), "text", "export JAVA_HOME"));
        run(project, environment() + block(page(), "text", "jar cf"));
        assertTrue(Files.size(project.resolve("demo.aot")) > 0);
    }

    /** Tells whether jlink links, from the JDK's folder of modules or from the JDK itself where it has none. */
    private static boolean links() {
        final StringWriter help = new StringWriter();
        final PrintWriter writer = new PrintWriter(help);
        return ToolProvider.findFirst("jlink").map(jlink -> jlink.run(writer, writer, "--help")).orElse(1) == 0
            && (Files.isDirectory(Path.of(System.getProperty("java.home"), "jmods"))
                || help.toString().contains("Linking from run-time image enabled"));
    }

    /** The page's project with the README's program. */
    private Path project() throws IOException {
        assumeTrue(isThere("mvn") && isThere("bash"), "what the page runs");
        final Path project = Files.createDirectories(folder.resolve("demo"));
        final Path source = Files.createDirectories(project.resolve("src/main/java/demo")).resolve("Main.java");
        assertTrue(page().contains("`src/main/java/demo/Main.java`"));
        Files.writeString(project.resolve("pom.xml"), block(page(), "xml", "<project"));
        Files.writeString(source, program(page()));
        return project;
    }

    private static void addDescriptor(final Path project) throws IOException {
        final String name = "src/main/java/module-info.java";
        assertTrue(page().contains('`' + name + '`'));
        Files.writeString(project.resolve(name), block(page(), "text", "module demo"));
    }

    /** The line of the page that names the JDK. */
    private static String environment() throws IOException {
        return block(page(), "text", "export JAVA_HOME").lines().findFirst().orElseThrow() + "\n";
    }

    /** Run the commands of a block, whose last line is what they print in the end. */
    private void run(final Path project, final String block) throws Exception {
        final String[] lines = block.split("\\n");
        final String expected = lines[lines.length - 1];
        final String script = String.join("\n", Arrays.copyOf(lines, lines.length - 1));
        assertTrue(script.contains(JDK) && script.contains(MVN) == script.contains("mvn "), script);
        final String here = script.replace(JDK, System.getProperty("java.home"));
        final ProcessBuilder builder = new ProcessBuilder(
            "bash", "-e", "-c", here.contains(MVN) ? here.replace(MVN, offline()) : here)
            .directory(project.toFile()).redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dsluice.dir=" + folder.resolve("fabric"));
        final Process process = builder.start();
        final int status = process.waitFor();
        final List<String> output = Files.readAllLines(folder.resolve("out"));
        assertEquals(0, status, () -> String.join("\n", output));
        assertEquals(expected, output.getLast());
    }

    /** The program of the README, in a class with the imports that the page names and no others. */
    private static String program(final String page) throws IOException {
        final MatchResult imports = Pattern.compile("import\\s+`([\\w.]+\\*)` and `([\\w.]+\\*)`").matcher(page)
            .results().findFirst().orElseThrow();
        return "package demo;\nimport " + imports.group(1) + ";\nimport " + imports.group(2) + ";\n"
            + "class Main {\n    public static void main(final String[] arguments) {\n"
            + block(Files.readString(ROOT.resolve("README.md")), "java", "try (") + "}}\n";
    }

    static boolean isThere(final String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(Path::of)
            .anyMatch(path -> Files.isExecutable(path.resolve(program)));
    }

    /** The command of the page, with our artifacts and those that this build has fetched, and no others. */
    private String offline() throws Exception {
        final Document parent = xml(Files.readString(PARENT));
        final String compiler = text(parent, "properties", "compiler-plugin.version");
        final String dependency = text(parent, "properties", "dependency-plugin.version");
        return "mvn -o -q -B -Dmaven.repo.local=" + repository(text(parent, "version")) + " "
            + PLUGINS + "maven-compiler-plugin:" + compiler + ":compile "
            + PLUGINS + "maven-dependency-plugin:" + dependency + ":build-classpath ";
    }

    /** The local repository of the build. */
    static Path localRepository() {
        return Path.of(System.getProperty("localRepository",
            System.getProperty("user.home") + "/.m2/repository"));
    }

    /** A repository of our artifacts as they are, whose other folders are those of the build's own. */
    private Path repository(final String version) throws IOException {
        final Path real = localRepository();
        final Path repository = folder.resolve("repository");
        link(real, repository, "io");
        link(real.resolve("io"), repository.resolve("io"), "sluice");
        stage(repository, PARENT, "sluice", version, null);
        for (final Map.Entry<String, String> module : MODULES.entrySet()) {
            final Path folderOfModule = ROOT.resolve(module.getKey());
            stage(repository, folderOfModule.resolve("pom.xml"), module.getValue(), version,
                folderOfModule.resolve("target/classes"));
        }
        return repository;
    }

    private void link(final Path from, final Path to, final String exception) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (final Path file : files.filter(path -> !path.endsWith(exception)).toList()) {
                links.add(Files.createSymbolicLink(to.resolve(file.getFileName()), file.toAbsolutePath()));
            }
        }
    }

    private static void stage(
        final Path repository, final Path pom, final String artifact, final String version, final Path classes)
        throws IOException {
        final Path target = Files.createDirectories(
            repository.resolve("io/sluice").resolve(artifact).resolve(version));
        final String name = artifact + "-" + version;
        Files.copy(pom, target.resolve(name + ".pom"));
        if (classes != null) {
            final StringWriter output = new StringWriter();
            final PrintWriter writer = new PrintWriter(output);
            assertEquals(0, ToolProvider.findFirst("jar").orElseThrow().run(writer, writer,
                "--create", "--file", target.resolve(name + ".jar").toString(), "-C", classes.toString(), "."),
                output::toString);
        }
    }
}
