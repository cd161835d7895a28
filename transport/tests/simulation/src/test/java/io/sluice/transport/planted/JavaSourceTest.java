package io.sluice.transport.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaSourceTest {
    private static final String SOURCE = """
        package house;
        final class House {
            private int doors = 1;
            House(final int doors) {
                this.doors = doors;
            }
            /** To open is open(); { */
            void open(final int door) {
                // open(door) { "
                final char brace = '}';
                final String text = "} open(\\"" + \"""
                    } "open" {\""";
                turn(door, door);
            }
            void close(final int door) {
                turn(door, -1);
            }
            void close(final String name, final int key) {
                turn(name, -1);
                turn(key, -1);
            }
            void lock() {
                turn(1, /* left */ 1); turn(1, 1);
                class Bolt {
                    void close() {
                        shut(1);
                    }
                }
            }
            record Window(int panes) {
                Window {
                    check(panes);
                }
                void close() {
                    shut(panes);
                }
            }
        }
        """;

    private static String changed(final String place, final String there, final String instead) {
        return JavaSource.parse(SOURCE).with(List.of(place.split("\\.")), new Change(place, there, instead));
    }

    private static void assertRefused(final String problem, final String place, final String there) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> changed(place, there, "")).getMessage();
        assertTrue(message.contains(problem), message);
    }

    @Test
    void shouldChangeWhatStandsInAMethod() {
        assertEquals(SOURCE.replace("door, door", "0, door"), changed("House.open", "turn(door,", "turn(0,"));
    }

    @Test
    void shouldFindTheTextInOtherWhiteSpaceAndWithComments() {
        assertEquals(SOURCE.replace("turn(1, /* left */ 1); turn(1, 1);", "turn(2, 2);"),
            changed("House.lock", "turn( 1,1 ) ;\n  // and again\n  turn(1, 1);", "turn(2, 2);"));
    }

    @Test
    void shouldNotBeLedAstrayByBracesInStringsAndComments() {
        assertEquals(SOURCE.replace("door, door", "door, 0"), changed("House.open", "door, door", "door, 0"));
        assertRefused("does not stand in open(int)", "House.open", "To open");
        assertRefused("does not stand in open(int)", "House.open", "open(door)");
    }

    @Test
    void shouldChangeStringsAsAWhole() {
        assertEquals(SOURCE.replace("\"} open(\\\"\"", "\"\""), changed("House.open", "\"} open(\\\"\"", "\"\""));
        assertRefused("does not stand in open(int)", "House.open", "\"open\"");
    }

    @Test
    void shouldNotTakePartOfANameForIt() {
        assertRefused("does not stand in open(int)", "House.open", "urn(door, door)");
    }

    @Test
    void shouldChangeAField() {
        assertEquals(SOURCE.replace("doors = 1", "doors = 2"), changed("House", "doors = 1", "doors = 2"));
    }

    @Test
    void shouldChangeAConstructor() {
        assertEquals(SOURCE.replace("this.doors = doors;", ""), changed("House.new", "this.doors = doors;", ""));
        assertEquals(SOURCE.replace("check(panes);", ""), changed("House.Window.new", "check(panes);", ""));
    }

    @Test
    void shouldChangeAMethodOfANestedType() {
        assertEquals(SOURCE.replace("shut(panes)", "shut(0)"), changed("House.Window.close", "panes", "0"));
    }

    @Test
    void shouldRefuseWhatStandsTwiceInAMethod() {
        assertRefused("stands 2 times, and not once, in lock(): turn", "House.lock", "turn(1, 1);");
    }

    @Test
    void shouldTakeTheOneOfSeveralMethodsThatHasTheText() {
        assertEquals(SOURCE.replace("turn(name, -1)", "turn(name, 0)"),
            changed("House.close", "turn(name, -1)", "turn(name, 0)"));
    }

    @Test
    void shouldNameTheMethodsThatHaveTheText() {
        assertRefused("stands 3 times, and not once, in close(int) and close(String, int)", "House.close", "-1");
        assertRefused("does not stand in close(int) and close(String, int)", "House.close", "-2");
    }

    @Test
    void shouldNameAMethodOrTypeThatIsMissing() {
        assertRefused("no method or type enter in House", "House.enter", "turn");
        assertRefused("no method or type Door in House", "House.Door.close", "turn");
        assertRefused("no method or type Hut in the file", "Hut.close", "turn");
    }
}
