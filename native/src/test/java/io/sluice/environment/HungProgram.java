package io.sluice.environment;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CountDownLatch;

/** Has a thread in a critical call that does not come back, and ends with the status that it is given. */
final class HungProgram {
    private HungProgram() {
    }

    public static void main(final String[] arguments) throws IOException, InterruptedException {
        final ProcessEnd end = ProcessEnd.prepare();
        if (HungProgram.class.getModule().isNativeAccessEnabled()) {
            final Linker linker = Linker.nativeLinker();
            final MethodHandle pause = linker.downcallHandle(linker.defaultLookup().find("pause").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT), Linker.Option.critical(false));
            final CountDownLatch isNext = new CountDownLatch(1);
            Thread.ofPlatform().start(() -> hang(pause, isNext));
            isNext.await();
            System.out.println("hangs");
        } else {
            System.out.println("cannot hang");
        }
        System.in.read();
        end.now(Integer.parseInt(arguments[0]));
    }

    private static void hang(final MethodHandle pause, final CountDownLatch isNext) {
        try {
            isNext.countDown();
            final int result = (int) pause.invokeExact();
            throw new AssertionError("pause returned " + result);
        } catch (final Throwable e) {
            throw new AssertionError(e);
        }
    }
}
