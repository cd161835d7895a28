package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LockOwnerTest {
    private final LockOwner current = LockOwner.current();

    @Test
    void shouldReadWhatItWrote() {
        assertNotNull(current);
        assertEquals(LockOwner.LENGTH, current.encode().length);
        assertEquals(current, LockOwner.parse(current.encode()));
    }

    @Test
    void shouldNameNobodyWhereTheFileHasSomethingElse() {
        assertNull(LockOwner.parse(new byte[0]));
        assertNull(LockOwner.parse(new byte[LockOwner.LENGTH]));
        assertNull(LockOwner.parse("sluice-lock 2 pid=1 start=1 in=x\n".getBytes(StandardCharsets.US_ASCII)));
        final byte[] cut = Arrays.copyOf(current.encode(), 20);
        assertNull(LockOwner.parse(cut));
    }

    @Test
    void shouldKnowWhoLives() {
        assertEquals(LockOwner.State.ALIVE, current.state(LockCalls.instance()));
        final long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L);
        assertEquals(LockOwner.State.DEAD,
            new LockOwner(parent, current.start() + 1, current.placement()).state(LockCalls.instance()),
            "the number was given to another process");
        assertEquals(LockOwner.State.DEAD,
            new LockOwner(current.pid(), current.start() - 1, current.placement()).state(LockCalls.instance()));
    }

    @Test
    void shouldKnowAProcessAsDeadThatHasEnded() throws Exception {
        try (ChildJvm child = ChildJvm.start(NamingMain.class)) {
            final LockOwner owner = LockOwner.parse((child.readLine() + "\n").getBytes(StandardCharsets.US_ASCII));
            assertEquals(LockOwner.State.ALIVE, owner.state(LockCalls.instance()));
            child.kill();
            assertEquals(LockOwner.State.DEAD, owner.state(LockCalls.instance()));
        }
    }

    @Test
    void shouldNotJudgeAProcessOfAnotherNamespaceOrBoot() {
        assertEquals(LockOwner.State.UNKNOWN,
            new LockOwner(current.pid(), current.start(), "pid:[1],time:[1],0").state(LockCalls.instance()));
    }

    /** Says who it is. */
    static final class NamingMain {
        public static void main(final String[] arguments) throws Exception {
            System.out.print(new String(LockOwner.current().encode(), StandardCharsets.US_ASCII).trim() + "\n");
            System.out.flush();
            System.in.read();
        }
    }
}
