package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sluice.environment.SystemEnvironment;
import io.sluice.samples.machine.RdmaSurvey;
import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.SharedReceiveQueue;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.model.Model;
import io.sluice.verbs.model.ModelCard;
import io.sluice.verbs.model.Trait;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each check fails on a card that does not do what the check is about. */
class PlantedFaultsTest {
    private static final int SHORT = 50;
    /** The time to wait for an event that does not come. */
    private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int EIO = 5;

    private final FaultyDevice fault = new FaultyDevice();

    @BeforeEach
    void requireLibraries() {
        assumeFalse(RdmaSurvey.take(SystemEnvironment.instance(), "auto").libraryVersion().isEmpty(),
            "no libibverbs by which a model is described");
    }

    private static RdmaDevice open(final ModelCard card) {
        return new Model(card, SystemEnvironment.instance()).open(RdmaDeviceOptions.DEFAULT);
    }

    private void assertFound(final String pattern, final Function<RdmaDevice, String> check) {
        assertFound(pattern, ModelCard.MLX5, check);
    }

    private void assertFound(final String pattern, final ModelCard card, final Function<RdmaDevice, String> check) {
        try (RdmaDevice device = open(card)) {
            check.apply(device);
            final RdmaDevice faulty = fault.over(device);
            final String message = assertThrows(CheckFailure.class, () -> check.apply(faulty)).getMessage();
            assertTrue(message.matches(pattern), message);
        }
    }

    private static CompletionQueueAttributes withoutChannel(final CompletionQueueAttributes asked) {
        return new CompletionQueueAttributes(asked.capacity(), asked.fields(), null).withFlags(asked.flags());
    }

    private static QueuePairAttributes swapped(final QueuePairAttributes asked) {
        return new QueuePairAttributes(asked.receiveQueue(), asked.sendQueue(), asked.maxSendWork(),
            asked.maxReceiveWork(), asked.maxInlineData(), asked.rnrRetryCount(), asked.minRnrTimerCode(),
            asked.retryCount(), asked.ackTimeoutCode());
    }

    @Test
    void shouldFindACardThatCompletesInTheOtherQueue() {
        fault.attributes = PlantedFaultsTest::swapped;
        assertFound("a completion of RECV of queue pair \\d+ where one of RDMA_WRITE of queue pair \\d+ is due",
            device -> QueuesCheck.run(device, SHORT));
    }

    @Test
    void shouldFindACardThatAnnouncesNothing() {
        fault.queueAttributes = PlantedFaultsTest::withoutChannel;
        assertFound("no event comes for the queue of receives, armed, after events=0",
            device -> EventCheck.run(device, SOON_NS, SHORT));
    }

    @Test
    void shouldFindACardThatAnnouncesNoDatagrams() {
        fault.queueAttributes = PlantedFaultsTest::withoutChannel;
        assertFound("no event comes for the queue of sends, armed, after events=0", ModelCard.EFA,
            device -> EventCheck.runDatagrams(device, SOON_NS, SHORT));
    }

    /** A card unlike mana, which the provider arms once for each event. */
    @Test
    void shouldFindACardThatLosesARepeatedArming() {
        final Model model = new Model(
            ModelCard.BNXT.with(Trait.LOSES_REPEATED_ARMING, "a/fault.c"), SystemEnvironment.instance());
        try (RdmaDevice device = model.open(RdmaDeviceOptions.DEFAULT)) {
            assertEquals("no event comes for the queue of receives, armed twice while it is empty, after events=1",
                assertThrows(CheckFailure.class, () -> EventCheck.run(device, SOON_NS, SHORT)).getMessage());
        }
    }

    @Test
    void shouldFindACardThatReadsTooLittle() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            @Override
            public int postRead(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final int length, final long remoteAddress, final int remoteKey) {
                return super.postRead(
                    workRequestId, flags, localAddress, localKey, length - 1, remoteAddress, remoteKey);
            }
        };
        assertFound("other bytes have arrived than were posted: message=0 byte=0 of 1", ReadCheck::run);
    }

    @Test
    void shouldFindACardThatAddsSomethingElse() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            @Override
            public int postFetchAdd(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final long remoteAddress, final int remoteKey, final long addend) {
                return super.postFetchAdd(
                    workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey, addend + 1);
            }
        };
        assertFound("COMPARE AND SWAP has found \\d+ where \\d+ was", AtomicCheck::run);
    }

    @Test
    void shouldFindACardThatSwapsWhateverThereIs() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            private boolean isLater;
            private long word;

            @Override
            public int postCompareAndSwap(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final long remoteAddress, final int remoteKey, final long expected,
                final long replacement) {
                final long compared = isLater ? word : expected;
                word = replacement;
                isLater = true;
                return super.postCompareAndSwap(
                    workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey, compared, replacement);
            }
        };
        assertFound("FETCH AND ADD has found 5 where -1 was", AtomicCheck::run);
    }

    private void assertFoundByReceives(final String pattern, final Function<SharedReceiveQueue, FaultyReceives> how) {
        fault.receives = how::apply;
        assertFound(pattern, device -> SharedReceivesCheck.run(device, SOON_NS, SHORT));
    }

    @Test
    void shouldFindACardThatUsesAReceiveThatNobodyPosted() {
        assertFoundByReceives("receive=100 completes, and was not posted, or has completed before",
            sound -> new FaultyReceives(sound) {
                @Override
                public int postReceive(
                    final long workRequestId, final long address, final int localKey, final int length) {
                    return super.postReceive(workRequestId + 100, address, localKey, length);
                }
            });
    }

    @Test
    void shouldFindACardThatBringsASharedReceiveElsewhere() {
        assertFoundByReceives("other bytes have arrived than were posted: .*", sound -> new FaultyReceives(sound) {
            private long first;

            @Override
            public int postReceive(
                final long workRequestId, final long address, final int localKey, final int length) {
                first = first == 0 ? address : first;
                return super.postReceive(workRequestId, address == 0 ? 0 : first, localKey, length);
            }
        });
    }

    @Test
    void shouldFindACardThatDoesNotTellTheLimitOfSharedReceives() {
        assertFoundByReceives("no event tells that fewer receives are left than 4", sound -> new FaultyReceives(sound) {
            @Override
            public void armLimit(final int limit) {
                super.armLimit(0);
            }
        });
    }

    @Test
    void shouldFindACardWhoseSharedReceivesAreNeverFull() {
        assertFoundByReceives("a full queue answers .* after \\d+, and capacity=64 was granted",
            sound -> new FaultyReceives(sound) {
                @Override
                public int postReceive(
                    final long workRequestId, final long address, final int localKey, final int length) {
                    return withoutEnd(super.postReceive(workRequestId, address, localKey, length));
                }
            });
    }

    private static int withoutEnd(final int result) {
        return result == Errno.ENOMEM ? Errno.OK : result;
    }

    @Test
    void shouldFindACardWhoseReceivesAreNeverFull() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            @Override
            public int postReceives(final long workRequestId, final int count) {
                return withoutEnd(super.postReceives(workRequestId, count));
            }
        };
        assertFound("receives: a full queue answers .* after \\d+, and maxReceiveWork=64 was granted",
            FullQueueCheck::run);
    }

    private static QueuePair withWrites(final QueuePair sound, final int changes, final boolean isNeverFull) {
        return new FaultyQueuePair(sound) {
            @Override
            public int postWriteWithImmediate(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final int length, final long remoteAddress, final int remoteKey,
                final int immediate) {
                final int result = super.postWriteWithImmediate(workRequestId, flags, localAddress, localKey, length,
                    remoteAddress, remoteKey, immediate ^ changes);
                return isNeverFull ? withoutEnd(result) : result;
            }
        };
    }

    @Test
    void shouldFindACardWhoseSendsAreNeverFull() {
        fault.queuePairs = sound -> withWrites(sound, 0, true);
        assertFound("signalled: a full queue answers .* after \\d+", FullQueueCheck::run);
    }

    @Test
    void shouldFindACardWhoseQueueIsLostWhenItIsResized() {
        fault.queues = sound -> new FaultyQueue(sound) {
            private volatile boolean isLost;

            @Override
            public void resize(final int capacity) {
                super.resize(capacity);
                isLost = true;
            }

            @Override
            public int startPoll() {
                return isLost ? EIO : super.startPoll();
            }
        };
        assertFound("ibv_start_poll: 5 EIO", new Checks(SHORT)::resize);
    }

    @Test
    void shouldFindACardThatTellsAWrongOpcode() {
        fault.queues = sound -> new FaultyQueue(sound) {
            @Override
            public int opcode() {
                return super.opcode() == WorkOpcode.RDMA_READ ? WorkOpcode.RDMA_WRITE : super.opcode();
            }
        };
        assertFound("a completion of RDMA_WRITE of queue pair \\d+ where one of RDMA_READ of queue pair \\d+ is due",
            ReadCheck::run);
    }

    @Test
    void shouldFindACardThatOvertakes() {
        fault.queuePairs = sound -> withWrites(sound, 1, false);
        assertFound("immediate=1 instead of 0", new Checks(SHORT)::ordering);
    }

    @Test
    void shouldFindACardThatAnswersOtherwiseWhenAQueuePairIsGone() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            @Override
            public int postWriteWithImmediate(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final int length, final long remoteAddress, final int remoteKey,
                final int immediate) {
                final int result = super.postWriteWithImmediate(workRequestId, flags, localAddress, localKey, length,
                    remoteAddress, remoteKey, immediate);
                return result == Errno.ENOMEM ? EIO : result;
            }
        };
        assertFound("a post to a queue pair that is closed answers .*", new Checks(1)::destroy);
    }

    @Test
    void shouldFindACardThatBringsDatagramsThatNobodySent() {
        fault.queuePairs = sound -> new FaultyQueuePair(sound) {
            @Override
            public int postSendToWithImmediate(final long workRequestId, final int flags, final long localAddress,
                final int localKey, final int length, final AddressHandle remote, final int remoteNumber,
                final int remoteQueueKey, final int immediate) {
                return super.postSendToWithImmediate(workRequestId, flags, localAddress, localKey, length, remote,
                    remoteNumber, remoteQueueKey, immediate + 1000);
            }
        };
        assertFound(
            "message=1000 arrives, and was not sent, or has arrived before", new DatagramChecks(SHORT)::arrival);
    }

    /** The checks of something else go well. */
    @Test
    void shouldTellInTheReportWhichCheckHasFailedAndWhatIsDue() {
        final List<String> lines = new ArrayList<>();
        fault.receives = sound -> new FaultyReceives(sound) {
            @Override
            public int postReceive(
                final long workRequestId, final long address, final int localKey, final int length) {
                return EIO;
            }
        };

        assertEquals(1, new SelfTest(Report.to(lines::add), SHORT)
            .run("a device", () -> fault.over(open(ModelCard.MLX5))), lines::toString);

        final int told = lines.indexOf("  FAILED    shared receives     ibv_post_srq_recv: " + Errno.describe(EIO));
        assertTrue(told > 0, lines::toString);
        assertEquals("                                -> due: queue pairs draw on one receive queue, each receive is "
            + "used once", lines.get(told + 1));
    }
}
