package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.kit.KeyFile;
import io.sluice.transport.settings.PreSharedKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The places that a context takes its key from, and keys that it does not take. */
class ContextKeyTest {
    private static final int ROOT = 0;
    private static final int SOMEBODY_ELSE = 12_345;
    private static final String KEY = "f3a0c6f2c1d84be7a6f15f08d0c9b7e1";

    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(Configuration.PRE_SHARED_KEY_FILE_PROP);
    }

    private static Context concluded(final Context context, final String variable) {
        context.concludePeerRules(SystemEnvironment.instance(), variable);
        return context;
    }

    private static String refusal(final Context context, final String variable) {
        final String text =
            assertThrows(IllegalArgumentException.class, () -> concluded(context, variable)).getMessage();
        assertFalse(text.contains("Exception") || text.contains("\n"), "one sentence for people: " + text);
        return text;
    }

    @Test
    void shouldAskForNoKeyUnlessItHasOne() {
        assertNull(concluded(new Context(), null).peerRules().key());
        assertNotNull(concluded(new Context(), KEY).peerRules().key());
        System.setProperty(Configuration.PRE_SHARED_KEY_FILE_PROP, KeyFile.of(folder, KEY).toString());
        assertNotNull(concluded(new Context(), null).peerRules().key());
    }

    /** A missing file is refused even when there is a variable: who names a file means it. */
    @Test
    void shouldRefuseAFileThatIsNotThere() {
        System.setProperty(Configuration.PRE_SHARED_KEY_FILE_PROP, folder.resolve("absent").toString());
        final String message = refusal(new Context(), KEY);
        assertTrue(message.contains("no such file: path=" + folder.resolve("absent")), message);
        assertTrue(message.contains(Configuration.PRE_SHARED_KEY_FILE_PROP + "="), message);
        final Context named = new Context().preSharedKeyFile(folder.resolve("missing"));
        assertTrue(refusal(named, KEY).contains("preSharedKeyFile=" + folder.resolve("missing")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rwxrwxrwx"})
    void shouldRefuseAFileThatOthersMayUse(final String permissions) {
        final Path file = KeyFile.of(folder, KEY, permissions);
        final String message = refusal(new Context().preSharedKeyFile(file), null);
        assertTrue(message.contains("path=" + file) && message.contains("chmod go="), message);
        assertFalse(message.contains(KEY), message);
    }

    @Test
    void shouldRefuseAFileOfAnotherUser() throws IOException {
        Path file = Path.of("/etc/passwd");
        if ((int) Files.getAttribute(folder, "unix:uid") == ROOT) {
            file = KeyFile.of(folder, KEY);
            Files.setAttribute(file, "unix:uid", SOMEBODY_ELSE);
        }
        final String message = refusal(new Context().preSharedKeyFile(file), null);
        assertTrue(message.contains("belongs to another user: path=" + file), message);
    }

    @Test
    void shouldRefuseASymbolicLink() throws IOException {
        final Path link = Files.createSymbolicLink(folder.resolve("link"), KeyFile.of(folder, KEY));
        assertTrue(refusal(new Context().preSharedKeyFile(link), null).contains("symbolic link"));
    }

    @Test
    void shouldRefuseAKeyThatIsTooShortOrTooLongAndNotShowIt() {
        for (final String key : new String[] {
            "", "\n", KEY.substring(1), KEY.substring(1) + "\n", KEY.substring(1) + "\r\n", KEY.repeat(32) + "x"}) {
            final String text = refusal(new Context().preSharedKeyFile(KeyFile.of(folder, key)), null);
            assertTrue(text.contains("minimum=32") && text.contains("maximum=1024"), text);
            assertFalse(!key.isBlank() && text.contains(key.strip()), text);
            final String variable = refusal(new Context(), key);
            assertTrue(variable.contains(Configuration.PRE_SHARED_KEY_VARIABLE), variable);
            assertFalse(!key.isBlank() && variable.contains(key.strip()), variable);
        }
        assertTrue(refusal(new Context().preSharedKeyFile(KeyFile.of(folder, KEY.repeat(33))), null)
            .contains("too long"));
    }

    @Test
    void shouldNotShowItsKey() {
        final Context context = concluded(new Context(), KEY);
        assertEquals("PreSharedKey[hidden]", context.peerRules().key().toString());
        assertFalse((context + " " + context.peerRules()).contains(KEY));
    }

    @Test
    void shouldWipeWhatItWasMadeOf() {
        final byte[] content = KEY.getBytes(StandardCharsets.US_ASCII);
        PreSharedKey.of("test", content);
        assertEquals(0, content[0] | content[content.length - 1]);
    }
}
