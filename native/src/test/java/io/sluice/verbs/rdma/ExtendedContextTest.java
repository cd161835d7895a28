package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExtendedContextTest {
    private static final long FUNCTION = 0x1234_5678L;
    private static final long CREATE_CQ_EX = verbs_context.create_cq_ex$offset();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment extended = verbs_context.allocate(arena);
    private final MemorySegment context = verbs_context.context(extended);

    @BeforeEach
    void fill() {
        verbs_context.sz(extended, verbs_context.sizeof());
        verbs_context.create_cq_ex(extended, MemorySegment.ofAddress(FUNCTION));
        ibv_context.abi_compat(context, MemorySegment.ofAddress(-1L));
    }

    @AfterEach
    void free() {
        arena.close();
    }

    private long find() {
        return ExtendedContext.operation(context.address(), CREATE_CQ_EX);
    }

    @Test
    void shouldFindAnOperationInTheContextAround() {
        assertEquals(FUNCTION, find());
    }

    @Test
    void shouldFindNoneInAContextThatIsNotExtended() {
        ibv_context.abi_compat(context, MemorySegment.NULL);

        assertEquals(0, find());
    }

    @Test
    void shouldFindNoneThatAnOlderLibraryDoesNotHave() {
        verbs_context.sz(extended, verbs_context.sizeof() - CREATE_CQ_EX - 1);
        assertEquals(0, find());

        verbs_context.sz(extended, verbs_context.sizeof() - CREATE_CQ_EX);
        assertEquals(FUNCTION, find());
    }

    @Test
    void shouldFindNoneThatTheDeviceDoesNotHave() {
        verbs_context.create_cq_ex(extended, MemorySegment.NULL);

        assertEquals(0, find());
    }

    @Test
    void shouldTakeALibraryOfTheSameStructsOrLaterOnes() {
        ExtendedContext.check(context.address());
        verbs_context.sz(extended, verbs_context.sizeof() + 8);
        ExtendedContext.check(context.address());
    }

    @Test
    void shouldRefuseALibraryOfOtherStructsByName() {
        verbs_context.sz(extended, verbs_context.sizeof() - 8);
        assertTrue(refusal().contains("verbs_context has 640 bytes, not 648 or more"), refusal());

        ibv_context.abi_compat(context, MemorySegment.NULL);
        assertTrue(refusal().contains("ibv_context.abi_compat"), refusal());
    }

    private String refusal() {
        return assertThrows(VerbsException.class, () -> ExtendedContext.check(context.address())).getMessage();
    }
}
