package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkOpcodeTest {
    /** Constants of the class, by their values. */
    private static Map<Integer, String> constants() throws IllegalAccessException {
        final List<Field> fields = Arrays.stream(WorkOpcode.class.getDeclaredFields())
            .filter(field -> Modifier.isPublic(field.getModifiers())).toList();
        final Map<Integer, String> names = new TreeMap<>();
        for (final Field field : fields) {
            names.put(field.getInt(null), field.getName());
        }
        assertEquals(fields.size(), names.size(), "each value once");
        return names;
    }

    @Test
    void shouldNameEveryOpcode() throws IllegalAccessException {
        final Map<Integer, String> constants = constants();
        assertTrue(constants.size() >= 20, () -> "constants: " + constants);

        constants.forEach((opcode, name) -> assertEquals(name, WorkOpcode.name(opcode)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10, 127, 138, 256, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldTellTheNumberOfAnOpcodeThatNobodyKnows(final int opcode) {
        assertEquals("UNKNOWN(" + opcode + ")", WorkOpcode.name(opcode));
    }

    @Test
    void shouldTellReceivesByTheirBit() throws IllegalAccessException {
        constants().forEach((opcode, name) ->
            assertEquals(opcode >= WorkOpcode.RECV, WorkOpcode.isReceive(opcode), name));
    }
}
