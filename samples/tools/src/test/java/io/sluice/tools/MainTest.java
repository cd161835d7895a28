package io.sluice.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    /** The version of Java 8's class files. */
    private static final int CLASS_FILE_OF_8 = 52;

    @ParameterizedTest
    @CsvSource({"1.8, 8", "17, 17", "24, 24"})
    void shouldSayInASentenceThatAJavaIsTooOld(final String release, final String told) {
        assertEquals("needs a Java 25 or later, and this is Java " + told + " in /opt/jre: install one, for example "
            + "from https://adoptium.net, and call its bin/java", Main.mistake(release, "/opt/jre"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"25", "26", "100"})
    void shouldRunOnWhatIsNewEnough(final String release) {
        assertNull(Main.mistake(release, "/opt/jre"));
    }

    /** An older Java must be able to read the class that tells it. */
    @Test
    void shouldBeReadByAnOlderJava() throws IOException {
        try (DataInputStream file = new DataInputStream(Main.class.getResourceAsStream("Main.class"))) {
            file.readInt();
            assertEquals(0, file.readUnsignedShort());
            assertEquals(CLASS_FILE_OF_8, file.readUnsignedShort());
        }
    }
}
