package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.lmax.disruptor.RingBuffer;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.prometheus.metrics.config.PrometheusProperties;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.sluice.codec.FrameDescriptor;
import io.sluice.metrics.HostCollector;
import io.sluice.transport.Transport;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounters;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.foreign.WorkRecord;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * The exports of the modules: they show nothing else, and nothing else of them is used outside: the build
 * compiles {@code samples}, {@code perf} and all tests on the class path, which would let them.
 */
class ModuleExportsTest {
    private static final Map<String, Set<String>> EXPORTS = Map.of(
        "io.sluice.verbs", Set.of(
            "io.sluice.environment", "io.sluice.os", "io.sluice.rpma", "io.sluice.verbs", "io.sluice.verbs.model",
            "io.sluice.verbs.rdma", "io.sluice.verbs.software"),
        "io.sluice.codec", Set.of("io.sluice.codec", "io.sluice.codec.control"),
        "io.sluice.transport", Set.of(
            "io.sluice.transport", "io.sluice.transport.completion", "io.sluice.transport.status"),
        "io.sluice.metrics", Set.of("io.sluice.metrics", "io.sluice.metrics.micrometer"));

    /** Programs whose subject is what a module keeps to itself. Nothing of the product is among them. */
    private static final Set<String> KNOWN_USES = new TreeSet<>(Set.of(
        // measures calls as the provider links them
        "io.sluice.perf.downcall uses io.sluice.verbs.foreign",
        // stresses single lock-free parts, which the API has no way to
        "io.sluice.perf.stress uses io.sluice.transport.buffer",
        "io.sluice.perf.stress uses io.sluice.transport.counters",
        "io.sluice.perf.stress uses io.sluice.transport.receive",
        "io.sluice.perf.stress uses io.sluice.transport.send"));

    private static final Path ROOT = Path.of("..");
    private static final List<String> FOLDERS = List.of(
        "native", "codec", "transport", "metrics", "samples", "perf", "rules");

    private static final ModuleFinder FINDER = ModuleFinder.of(
        placeOf(RdmaDevice.class), placeOf(FrameDescriptor.class), placeOf(Transport.class),
        placeOf(DirectBuffer.class), placeOf(RingBuffer.class), placeOf(HostCollector.class),
        placeOf(MultiCollector.class), placeOf(PrometheusProperties.class), placeOf(HTTPServer.class));

    /** Planted: shows a type that is not exported, in an argument's type. */
    public static final class Shows {
        public int count(final List<WorkRecord> records) {
            return records.size();
        }

        int own(final WorkRecord record) {
            return record.hashCode();
        }
    }

    /** Planted: uses a type that is not exported, and one that is. */
    private static final class Uses {
        private final TransportCounters counters = new LiveCounters();
    }

    private static Path placeOf(final Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (final URISyntaxException ex) {
            throw new AssertionError(type.getName(), ex);
        }
    }

    private static ModuleDescriptor descriptorOf(final String module) {
        return FINDER.find(module).orElseThrow().descriptor();
    }

    /** {@return names of packages, with a module's name when they are for that module only} */
    private static Set<String> exportsOf(final String module) {
        final Set<String> exports = new TreeSet<>();
        for (final ModuleDescriptor.Exports each : descriptorOf(module).exports()) {
            exports.add(each.source() + (each.isQualified() ? " to " + new TreeSet<>(each.targets()) : ""));
        }
        return exports;
    }

    private static Map<String, String> modulesByPackage() {
        final Map<String, String> modules = new HashMap<>();
        EXPORTS.keySet().forEach(module -> descriptorOf(module).packages().forEach(of -> modules.put(of, module)));
        return modules;
    }

    private static Set<String> exported() {
        final Set<String> exported = new TreeSet<>();
        EXPORTS.keySet().forEach(module -> exported.addAll(exportsOf(module)));
        return exported;
    }

    @Test
    void shouldExportWhatUsersNeedOnly() {
        for (final Map.Entry<String, Set<String>> module : EXPORTS.entrySet()) {
            assertEquals(new TreeSet<>(module.getValue()), exportsOf(module.getKey()), module.getKey());
            assertEquals(Set.of(), descriptorOf(module.getKey()).opens(), module.getKey());
        }
    }

    /** The layer refuses a package that is in two of its modules. */
    @Test
    void shouldResolveOnTheModulePath() {
        final Configuration configuration = ModuleLayer.boot().configuration()
            .resolve(FINDER, ModuleFinder.of(), Set.of("io.sluice.metrics"));
        final ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(configuration, null);

        EXPORTS.keySet().forEach(module -> assertTrue(layer.findModule(module).isPresent(), module));
    }

    @Test
    void shouldUseOnlyWhatOtherModulesExport() {
        assertEquals(KNOWN_USES, uses(ProductClasses.ALL));
    }

    @Test
    void shouldFindAUseOfWhatIsNotExported() {
        assertEquals(
            Set.of("io.sluice.rules uses io.sluice.transport.counters"),
            uses(new ClassFileImporter().importClasses(Uses.class)));
    }

    private static Set<String> uses(final JavaClasses classes) {
        final Map<String, String> modules = modulesByPackage();
        final Set<String> exported = exported();
        final Set<String> uses = new TreeSet<>();
        for (final JavaClass user : classes) {
            for (final Dependency dependency : user.getDirectDependenciesFromSelf()) {
                final String used = dependency.getTargetClass().getBaseComponentType().getPackageName();
                final String module = modules.get(used);
                if (module != null && !module.equals(modules.get(user.getPackageName())) && !exported.contains(used)) {
                    uses.add(user.getPackageName() + " uses " + used);
                }
            }
        }
        return uses;
    }

    @Test
    void shouldShowOnlyTypesOfExportedPackages() {
        final Set<String> exported = exported();
        final List<JavaClass> visible = new ArrayList<>();
        for (final JavaClass each : ProductClasses.ALL) {
            if (exported.contains(each.getPackageName()) && isVisible(each)) {
                visible.add(each);
            }
        }

        assertEquals(Set.of(), shown(visible));
    }

    @Test
    void shouldFindATypeThatIsShownButNotExported() {
        final JavaClass shows = new ClassFileImporter().importClasses(Shows.class).get(Shows.class);

        assertEquals(
            Set.of(shows.getMethod("count", List.class).getFullName() + " shows " + WorkRecord.class.getName()),
            shown(List.of(shows)));
    }

    private static boolean isVisible(final JavaClass type) {
        return isVisible(type.getModifiers())
            && type.getEnclosingClass().map(ModuleExportsTest::isVisible).orElse(true);
    }

    private static boolean isVisible(final Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static Set<String> shown(final List<JavaClass> classes) {
        final Map<String, String> modules = modulesByPackage();
        final Set<String> exported = exported();
        final Set<String> shown = new TreeSet<>();
        for (final JavaClass each : classes) {
            typesShownBy(each).forEach((place, types) -> types.stream()
                .filter(type -> modules.containsKey(type.getBaseComponentType().getPackageName()))
                .filter(type -> !exported.contains(type.getBaseComponentType().getPackageName()))
                .forEach(type -> shown.add(place + " shows " + type.getBaseComponentType().getName())));
        }
        return shown;
    }

    /** {@return types by the class or member whose declaration names them} */
    private static Map<String, Set<JavaClass>> typesShownBy(final JavaClass type) {
        final Map<String, Set<JavaClass>> types = new TreeMap<>();
        final List<JavaType> above = new ArrayList<>(type.getInterfaces());
        type.getSuperclass().ifPresent(above::add);
        put(types, type.getName(), above);
        for (final JavaMember member : type.getMembers()) {
            if (isVisible(member.getModifiers())) {
                put(types, member.getFullName(), typesOf(member));
            }
        }
        return types;
    }

    private static List<JavaType> typesOf(final JavaMember member) {
        final List<JavaType> types = new ArrayList<>();
        if (member instanceof JavaField field) {
            types.add(field.getType());
        } else if (member instanceof JavaCodeUnit unit) {
            types.add(unit.getReturnType());
            types.addAll(unit.getParameterTypes());
            types.addAll(unit.getExceptionTypes());
        }
        return types;
    }

    private static void put(
        final Map<String, Set<JavaClass>> types, final String place, final List<? extends JavaType> named) {
        named.forEach(type -> types.computeIfAbsent(place, _ -> new HashSet<>())
            .addAll(type.getAllInvolvedRawTypes()));
    }

    @Test
    void shouldHaveEachPackageInOneModuleOnly() {
        final Map<String, Set<String>> places = new TreeMap<>();
        for (final JavaClass each : ProductClasses.ALL) {
            final String file = each.getSource().orElseThrow().getUri().toString();
            places.computeIfAbsent(each.getPackageName(), _ -> new TreeSet<>())
                .add(file.substring(0, file.length() - (each.getName() + ".class").length()));
        }
        places.values().removeIf(each -> each.size() == 1);

        assertEquals(Map.of(), places);
    }

    /** Classes that share a package are of one module, or are not found: none could run on the module path. */
    @Test
    void shouldHaveNoTestInAPackageOfAnotherModule() throws IOException {
        final Map<String, Set<String>> product = new TreeMap<>();
        final Map<String, Set<String>> tests = new TreeMap<>();
        for (final String folder : folders()) {
            product.put(folder, packagesIn(folder, "main"));
            tests.put(folder, packagesIn(folder, "test"));
            tests.get(folder).removeAll(product.get(folder));
        }

        assertEquals(Set.of(), split(product, tests));
    }

    @Test
    void shouldFindATestInAPackageOfAnotherModule() {
        final Map<String, Set<String>> product = Map.of("a", Set.of("one", "two"), "b", Set.of("three"));
        final Map<String, Set<String>> tests = Map.of("b", Set.of("two", "kit"), "c", Set.of("kit", "own"));

        assertEquals(
            Set.of("b has tests in two", "b has tests in kit", "c has tests in kit"), split(product, tests));
    }

    /** Packages of tests that another folder has, too, in its product or in its tests. */
    private static Set<String> split(final Map<String, Set<String>> product, final Map<String, Set<String>> tests) {
        final Set<String> split = new TreeSet<>();
        tests.forEach((folder, packages) -> {
            for (final Map<String, Set<String>> each : List.of(product, tests)) {
                each.forEach((other, others) -> packages.stream()
                    .filter(name -> !other.equals(folder) && others.contains(name))
                    .forEach(name -> split.add(folder + " has tests in " + name)));
            }
        });
        return split;
    }

    /** The modules of the build, those of {@code transport/tests} among them. */
    private static List<String> folders() throws IOException {
        final List<String> folders = new ArrayList<>(FOLDERS);
        try (Stream<Path> modules = Files.list(ROOT.resolve("transport/tests"))) {
            modules.filter(module -> Files.isDirectory(module.resolve("src")))
                .forEach(module -> folders.add(ROOT.relativize(module).toString()));
        }
        return folders;
    }

    private static Set<String> packagesIn(final String folder, final String tree) throws IOException {
        final Path root = ROOT.resolve(folder).resolve("src").resolve(tree).resolve("java");
        final Set<String> packages = new TreeSet<>();
        if (Files.isDirectory(root)) {
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                    .forEach(packages::add);
            }
        }
        return packages;
    }
}
