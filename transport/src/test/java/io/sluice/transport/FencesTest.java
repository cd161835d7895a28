package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fences that the memory model asks for and no run can miss, so that the code is read. HotSpot orders what they order
 * without them: on x86 a volatile store is followed by a barrier, on aarch64 it is an {@code stlr}, which no later
 * {@code ldar} passes, and an acquire is one; and x86 makes no store visible before an earlier load. Where a run can
 * show a fence, jcstress does.
 */
class FencesTest {
    /** The calls of a method and the fields that it writes, in the order of its code. */
    private static List<String> steps(final String className, final String method) throws IOException {
        try (InputStream file = FencesTest.class.getResourceAsStream(className.replace('.', '/') + ".class")) {
            final List<String> steps = new ArrayList<>();
            ClassFile.of().parse(file.readAllBytes()).methods().stream()
                .filter(candidate -> candidate.methodName().equalsString(method))
                .forEach(found -> found.code().orElseThrow().forEach(element -> add(element, steps)));
            return steps;
        }
    }

    private static void add(final CodeElement element, final List<String> steps) {
        if (element instanceof final InvokeInstruction call) {
            steps.add(call.name().stringValue());
        } else if (element instanceof final FieldInstruction field && field.opcode() == Opcode.PUTFIELD) {
            steps.add(field.name().stringValue() + "=");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "send.ExclusivePoster, flush, setVolatile fullFence log tail",
        "send.ConcurrentPoster, flush, flushRequested= fullFence postAndRelease",
        "receive.FeedbackWriter, write, releaseFence putLong putLong"})
    void shouldFenceBetween(final String className, final String method, final String expected) throws IOException {
        final List<String> steps = steps(className, method);

        assertTrue(Collections.indexOfSubList(steps, List.of(expected.split(" "))) >= 0, steps::toString);
    }
}
