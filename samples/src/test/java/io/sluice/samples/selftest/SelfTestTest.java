package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.verbs.AsyncEventHandler;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.Errno;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.software.SoftwareDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SelfTestTest {
    private static final int SHORT = 50;
    /** Checks of connected queue pairs in shared memory, which resizes no queue where others poll it. */
    private static final int CHECKS = 13;
    /** Name of a call that this class answers. */
    private static final String ALLOCATE = "allocateProtectionDomain";
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);
    /** The device that hangs does nothing before. */
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(2);

    /** The time to wait for an event that does not come. */
    private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    private Path folder;

    private final List<String> lines = new ArrayList<>();

    /** A stand-in for one call of a device. */
    @FunctionalInterface
    private interface Call {
        Object answer(Object[] arguments);
    }

    private static RdmaDevice with(final RdmaDevice device, final String name, final Call call) {
        return (RdmaDevice) Proxy.newProxyInstance(RdmaDevice.class.getClassLoader(), new Class<?>[] {RdmaDevice.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals(name)) {
                    return call.answer(arguments);
                }
                try {
                    return method.invoke(device, arguments);
                } catch (final InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private RdmaDevice software() {
        return SoftwareDevice.open(SystemEnvironment.instance(), folder.resolve("fabric"));
    }

    private SelfTest test(final long boundNs) {
        return new SelfTest(Report.to(lines::add), SHORT, boundNs);
    }

    private long count(final String pattern) {
        return lines.stream().filter(line -> line.matches(pattern)).count();
    }

    @Test
    void shouldTakeTheAddressesOfAChangeOfStateThatFailsOutOfTheReport() {
        final VerbsException failure = new VerbsException("ibv_modify_qp", Errno.EINVAL,
            "the queue pair does not change its state: device mlx5_0 port 1 gid 3 fe80:0:0:0:5054:ff:fe12:3456 "
                + "to gid 192.168.7.9");

        assertEquals(CHECKS, test(LONG_NS).run("a device", () -> with(software(), ALLOCATE, arguments -> {
            throw failure;
        })));

        assertEquals(CHECKS, count("  FAILED  .* ibv_modify_qp: the queue pair does not change its state: device mlx5_0"
            + " port 1 gid 3 \\[address\\] to gid \\[address\\] \\(errno=.*"), lines::toString);
        assertEquals(0, count(".*(fe80|192).*"), lines::toString);
    }

    @Test
    void shouldSayWhatHangsAndGoOnWithTheNextInterface() {
        final CountDownLatch isEnded = new CountDownLatch(1);
        final SelfTest test = test(BOUND_NS);
        final RdmaDevice device = software();

        assertEquals(1, test.run("hanging", () -> with(device, ALLOCATE, arguments -> {
            awaitUninterruptibly(isEnded);
            throw new VerbsException("ibv_alloc_pd", Errno.EINVAL, "too late");
        })));
        assertTrue(test.hasHung());
        final int told = lines.size();
        assertEquals(1 + CHECKS, test.run("failing", () -> with(device, ALLOCATE, arguments -> {
            throw new VerbsException("ibv_alloc_pd", Errno.EINVAL, "none left");
        })));

        isEnded.countDown();
        assertEquals(List.of("  trying    ordering", "  hangs     ordering            has not ended within 2 s",
            "                                -> due: writes arrive whole and in order",
            "  the device is left as it is, with the checks that would follow"), lines.subList(told - 4, told));
        assertEquals(CHECKS, count("  FAILED  .* none left .*"), lines::toString);
        assertEquals(1 + CHECKS, test.checks());
        assertEquals("  trying    close", lines.getLast());
    }

    private static void awaitUninterruptibly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldSayWhenADeviceHangsAsItIsOpened() {
        final CountDownLatch isEnded = new CountDownLatch(1);
        final SelfTest test = test(TimeUnit.MILLISECONDS.toNanos(1));

        assertEquals(1, test.run("hanging", () -> {
            awaitUninterruptibly(isEnded);
            throw new VerbsException("ibv_open_device", Errno.EINVAL, "too late");
        }));

        isEnded.countDown();
        assertTrue(test.hasHung());
        assertEquals(1, test.checks());
        assertEquals(List.of("", "hanging", "  trying    open",
            "  hangs     open                has not ended within 0 s",
            "                                -> due: the device opens"), lines);
    }

    @Test
    void shouldSayWhenADeviceHangsAsItIsDescribedAndTryNothingElse() {
        final CountDownLatch isEnded = new CountDownLatch(1);
        final SelfTest test = test(TimeUnit.MILLISECONDS.toNanos(1));

        assertFalse(test.survey(() -> {
            awaitUninterruptibly(isEnded);
            throw new VerbsException("ibv_open_device", Errno.EINVAL, "too late");
        }, port -> ""));

        isEnded.countDown();
        assertTrue(test.hasHung());
        assertEquals(1, test.checks());
        assertEquals(List.of("  trying    describe", "  hangs     describe            has not ended within 0 s",
            "                                -> due: the device is opened, asked what it is, and closed"), lines);
    }

    @Test
    void shouldTellAttributesOnceAndThenThoseThatDiffer() {
        final SelfTest test = test(LONG_NS);
        test.run("one", this::software);
        final int told = lines.size();
        test.run("another", this::software);
        assertEquals(1, count("  maxInlineData=.*"), lines::toString);
        assertEquals(1, count("  completionFields=BYTE_LENGTH\\|IMMEDIATE\\|.*"), lines::toString);
        assertEquals("  attributes as before", lines.get(told + 3), lines::toString);
    }

    @Test
    void shouldTellAFaultOfItsOwnAsAFailure() {
        final SelfTest test = test(LONG_NS);
        test.run("a device", () -> with(software(), ALLOCATE, arguments -> {
            throw new IllegalArgumentException("not foreseen");
        }));
        assertEquals(CHECKS, count("  FAILED  .* java.lang.IllegalArgumentException: not foreseen"), lines::toString);
        assertFalse(test.hasHung());
    }

    private static Stream<ModelCard> cards() {
        return ModelCard.all().stream();
    }

    /** A queue pair of qedr is drained before it goes, and waits for ever for what is lost. */
    private static Stream<ModelCard> cardsThatCloseThen() {
        return cards().filter(card -> card != ModelCard.QEDR);
    }

    private static RdmaDevice open(final ModelCard card) {
        assumeFalse(RdmaSurvey.take(SystemEnvironment.instance(), "auto").libraryVersion().isEmpty(),
            "no libibverbs by which a model is described");
        return new Model(card, SystemEnvironment.instance()).open(RdmaDeviceOptions.DEFAULT);
    }

    private static RdmaDevice withEvents(final RdmaDevice device, final ToIntFunction<AsyncEventHandler> events) {
        return with(device, "poll", arguments -> events.applyAsInt((AsyncEventHandler) arguments[0]));
    }

    private static CheckFailure overrun(final RdmaDevice device) {
        return assertThrows(CheckFailure.class, () -> found(device, SOON_NS));
    }

    private static String found(final RdmaDevice device, final long eventTimeoutNs) {
        return device.attributes().reliableConnected() ? OverrunCheck.run(device, eventTimeoutNs)
            : OverrunCheck.runDatagrams(device, eventTimeoutNs);
    }

    /** A model drops what does not fit, and raises an event of which nobody hears. */
    @ParameterizedTest
    @MethodSource("cardsThatCloseThen")
    void shouldFindACardThatLosesCompletionsInSilence(final ModelCard card) {
        try (RdmaDevice device = open(card)) {
            final String message = overrun(withEvents(device, handler -> 0)).getMessage();
            assertTrue(message.matches(
                "completions=\\d+ of \\d+ with capacity=4: the others are lost, and no event tells"), message);
        }
    }

    @ParameterizedTest
    @MethodSource("cards")
    void shouldFindThatACardTellsOfAnOverrun(final ModelCard card) {
        try (RdmaDevice device = open(card)) {
            final String found = found(device, LONG_NS);
            assertTrue(found.matches(
                "capacity=4 completions=\\d+: an event tells, and the queue is dead(; IGNORE_OVERRUN: .*)?"), found);
        }
    }

    @Test
    void shouldFindAnEventOfAnOverrunThatIsNone() {
        try (RdmaDevice device = software()) {
            final String message = overrun(withEvents(device, handler -> {
                handler.onAsyncEvent(AsyncEventType.CQ_ERR, null, null);
                return 1;
            })).getMessage();
            assertTrue(message.startsWith("an event tells of an overrun after completions="), message);
        }
    }

    /** The device tells of an overrun in time, and goes on with the queue. */
    @Test
    void shouldFindAQueueThatLivesAfterItsOverrun() {
        final int[] polls = {0};
        try (RdmaDevice device = open(ModelCard.BNXT)) {
            final String message = overrun(withEvents(device, handler -> {
                if (polls[0]++ == 1) {
                    handler.onAsyncEvent(AsyncEventType.CQ_ERR, null, null);
                }
                return 1;
            })).getMessage();
            assertTrue(message.startsWith("an event tells of an overrun, and a poll answers "), message);
        }
    }
}
