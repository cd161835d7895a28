package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.SendChain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sizes that a reader can have in mind. What is larger today stands in {@code larger.txt} with its size and the reason:
 * whoever makes something smaller writes the new size, or takes the line out; none grows, and no line is added.
 */
class SizesTest {
    /** Lines of {@code larger.txt}; a number that only falls. */
    private static final int MOST_KNOWN = 47;
    /** The sum of the numbers of {@code larger.txt}, so that no line grows for another one; it only falls, too. */
    private static final int MOST_IN_ALL = 1086;

    private static final int MAX_METHODS = 25;
    private static final int MAX_FIELDS = 15;
    private static final int MAX_COMPONENTS = 8;
    private static final int MAX_PARAMETERS = 6;
    /** The calls of libibverbs, which every provider has. */
    private static final String VERBS = "io.sluice.verbs";
    /** Packages that call the libraries, or whose callers do. */
    private static final Set<String> LIBRARY_CALLS = Set.of(
        VERBS, "io.sluice.verbs.rdma", "io.sluice.verbs.foreign", "io.sluice.verbs.model",
        "io.sluice.rpma", "io.sluice.perf.stress", "io.sluice.perf.drain");

    /**
     * Their public methods are Aeron's, by FromAeronTest, with its parameters: these are learnt there, and no smaller
     * class would help. GatheredOffers has the parameters of Publication's offers.
     */
    private static final Set<String> FACADES = Set.of(
        "io.sluice.transport.Transport", "io.sluice.transport.Context", "io.sluice.transport.Publication",
        "io.sluice.transport.Subscription", "io.sluice.transport.Image", "io.sluice.transport.GatheredOffers");

    /** Planted: a method with one parameter too many. */
    static final class TooManyParameters {
        int sum(final int a, final int b, final int c, final int d, final int e, final int f, final int g) {
            return a + b + c + d + e + f + g;
        }
    }

    /** Planted: a provider's class; only the one method that it overrides may have the parameters of the call. */
    abstract static class Chain extends SendChain {
        Chain(final QueuePairAttributes attributes) {
            super(1, attributes);
        }

        @Override
        protected void prepare(
            final int index,
            final int operation,
            final long workRequestId,
            final int flags,
            final long localAddress,
            final int localKey,
            final int length,
            final long remoteAddress,
            final int remoteKey,
            final int immediate) {
            keep(index, operation, workRequestId, flags, localAddress, localKey, length);
        }

        /** Has the name of a call, but not its parameters. */
        abstract void prepare(int a, int b, int c, int d, int e, int f, int g, int h);

        /** Has name and parameters of a private method of the class above. */
        abstract int add(int a, long b, int c, long d, int e, int f, long g, int h, int i);

        abstract void keep(int a, int b, long c, int d, long e, int f, int g);
    }

    /** Planted: a record with one component too many. */
    record TooManyComponents(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
    }

    /** Planted: an interface with one method too many. */
    interface TooManyMethods {
        void a();
        void b();
        void c();
        void d();
        void e();
        void f();
        void g();
        void h();
        void i();
        void j();
        void k();
        void l();
        void m();
        void n();
        void o();
        void p();
        void q();
        void r();
        void s();
        void t();
        void u();
        void v();
        void w();
        void x();
        void y();
        void z();
    }

    /** Planted: a class with one field too many. */
    static final class TooManyFields {
        int a;
        int b;
        int c;
        int d;
        int e;
        int f;
        int g;
        int h;
        int i;
        int j;
        int k;
        int l;
        int m;
        int n;
        int o;
        int p;
    }

    /** Planted: a sealed type that could as well be its only kind. */
    sealed interface OneKindOnly {
    }

    /** Planted: that kind. */
    record OnlyKind() implements OneKindOnly {
    }

    @Test
    void shouldHaveNothingLargerThanKnown() throws IOException {
        final String known = new String(
            SizesTest.class.getResourceAsStream("larger.txt").readAllBytes(), StandardCharsets.UTF_8);

        final List<String> sizes = known.lines().map(line -> line.replaceFirst(": .*", "")).toList();
        assertEquals(String.join("\n", larger(ProductClasses.ALL)), String.join("\n", sizes));
        assertEquals(List.of(), known.lines().filter(line -> !line.matches(".* \\d+: \\w.{15,}")).toList(),
            "a line without a reason");
        assertTrue(sizes.size() <= MOST_KNOWN, "cut what is new: lines=" + sizes.size());
        final int inAll =
            sizes.stream().mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1))).sum();
        assertTrue(inAll <= MOST_IN_ALL, "cut what has grown: inAll=" + inAll);
    }

    @Test
    void shouldFindWhatIsTooLarge() {
        final JavaClasses planted = new ClassFileImporter().importClasses(
            TooManyParameters.class, Chain.class, TooManyComponents.class, TooManyMethods.class, TooManyFields.class,
            OneKindOnly.class, OnlyKind.class);

        assertEquals(
            List.of("components io.sluice.rules.SizesTest$TooManyComponents 9",
                "fields io.sluice.rules.SizesTest$TooManyFields 16",
                "methods io.sluice.rules.SizesTest$TooManyMethods 26",
                "parameters io.sluice.rules.SizesTest$Chain.add 9",
                "parameters io.sluice.rules.SizesTest$Chain.keep 7",
                "parameters io.sluice.rules.SizesTest$Chain.prepare 8",
                "parameters io.sluice.rules.SizesTest$TooManyParameters.sum 7",
                "permits io.sluice.rules.SizesTest$OneKindOnly 1"),
            List.copyOf(larger(planted)));
    }

    private static TreeSet<String> larger(final JavaClasses classes) {
        final TreeSet<String> larger = new TreeSet<>();
        classes.stream().filter(one -> !isGenerated(one)).forEach(one -> larger.addAll(larger(one)));
        return larger;
    }

    private static List<String> larger(final JavaClass one) {
        final List<String> larger = new ArrayList<>();
        final long methods = written(one.getMethods().stream())
            .filter(method -> !isOfRecord(one, method) && !isOfFacade(one, method)).count();
        final long fields = one.getFields().stream().filter(field -> !isStatic(field.getModifiers())
            && !field.getModifiers().contains(JavaModifier.SYNTHETIC)).count();
        if (methods > MAX_METHODS) {
            larger.add("methods " + one.getName() + " " + methods);
        }
        if (one.isRecord() && fields > MAX_COMPONENTS) {
            larger.add("components " + one.getName() + " " + fields);
        }
        if (!one.isRecord() && fields > MAX_FIELDS) {
            larger.add("fields " + one.getName() + " " + fields);
        }
        written(one.getCodeUnits().stream()).filter(unit -> unit.getRawParameterTypes().size() > MAX_PARAMETERS)
            .filter(unit -> !(unit.isConstructor() && (one.isRecord() || one.isEnum())) && !isCallOfLibrary(one, unit)
                && !isOfFacade(one, unit))
            .forEach(unit -> larger.add("parameters " + one.getName() + "." + unit.getName() + " "
                + unit.getRawParameterTypes().size()));
        if (kinds(one) == 1) {
            larger.add("permits " + one.getName() + " 1");
        }
        return larger;
    }

    /** The number of kinds of a sealed type; 0 of any other one, enums with bodies among them. */
    private static int kinds(final JavaClass one) {
        try {
            final Class<?> type = Class.forName(one.getName(), false, SizesTest.class.getClassLoader());
            return type.isSealed() && !type.isEnum() ? type.getPermittedSubclasses().length : 0;
        } catch (final ClassNotFoundException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Methods and constructors of the source, without those that the compiler adds. */
    private static <T extends JavaCodeUnit> Stream<T> written(final Stream<T> units) {
        return units.filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
            && !unit.getModifiers().contains(JavaModifier.BRIDGE) && !unit.getName().startsWith("lambda$"));
    }

    private static boolean isOfRecord(final JavaClass one, final JavaCodeUnit method) {
        return one.isRecord() && method.getRawParameterTypes().isEmpty()
            && (one.tryGetField(method.getName()).isPresent() || "hashCode".equals(method.getName()));
    }

    private static boolean isOfFacade(final JavaClass one, final JavaCodeUnit method) {
        return FACADES.contains(one.getName()) && method.getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static boolean isStatic(final Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.STATIC);
    }

    /**
     * Calls of libibverbs and librpma have the parameters that these have, down to the device and in what posts; so has
     * a method of any provider that overrides one of the verbs.
     */
    private static boolean isCallOfLibrary(final JavaClass one, final JavaCodeUnit unit) {
        return LIBRARY_CALLS.contains(one.getPackageName()) || unit.isMethod() && !isStatic(unit.getModifiers())
            && Stream.concat(one.getAllRawSuperclasses().stream(), one.getAllRawInterfaces().stream())
                .filter(above -> above.getPackageName().equals(VERBS))
                .flatMap(above -> above.getMethods().stream()).anyMatch(method -> isOverriddenBy(method, unit));
    }

    /** Whether a method of another package has the name and parameters of another one, which can override it. */
    private static boolean isOverriddenBy(final JavaMethod method, final JavaCodeUnit unit) {
        final Set<JavaModifier> modifiers = method.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
            && !isStatic(modifiers) && method.getName().equals(unit.getName())
            && names(method).equals(names(unit));
    }

    private static List<String> names(final JavaCodeUnit unit) {
        return unit.getRawParameterTypes().stream().map(JavaClass::getName).toList();
    }

    /** Whether a class was generated by jextract, SBE, JMH or jcstress. */
    private static boolean isGenerated(final JavaClass one) {
        final String name = one.getPackageName();
        return name.contains(".generated") || name.contains("jmh_generated") || one.getName().contains("_jcstress")
            || name.equals("io.sluice.codec.control") || name.equals("io.sluice.samples.marketdata");
    }
}
