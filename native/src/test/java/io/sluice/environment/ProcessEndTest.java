package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProcessEndTest {
    private static final int STATUS = 3;

    @Test
    void shouldEndThoughAThreadDoesNotComeBackFromACriticalCall() throws Exception {
        try (ChildJvm child = ChildJvm.start(HungProgram.class, Integer.toString(STATUS))) {
            assertEquals("hangs", child.readLine());
            child.writeLine("end");
            assertEquals(STATUS, child.waitForStatus());
        }
    }

    @Test
    void shouldEndWhereNativeCodeMayNotBeCalled() throws Exception {
        try (ChildJvm child = ChildJvm.startWithoutNativeAccess(HungProgram.class, Integer.toString(STATUS))) {
            assertEquals("cannot hang", child.readLine());
            child.writeLine("end");
            assertEquals(STATUS, child.waitForStatus());
        }
    }
}
