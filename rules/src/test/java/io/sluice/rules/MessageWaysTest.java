package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The ways of a message through the data path, step by step, in few classes. A class counts when it takes a step:
 * where it decides what comes next, or touches the bytes of the frame. Classes of {@link #BESIDE} do not count; a step
 * that calls any other one fails, so that a way cannot grow unseen. By its private methods a step may also turn onto
 * another way of the table. docs/decisions/032-rooms.md.
 */
class MessageWaysTest {
    private static final Path TRANSPORT = Path.of("../transport/src/main/java/io/sluice/transport");
    private static final String PRODUCT = "io.sluice.transport";

    /** Classes that steps call beside the way. */
    private static final Set<String> BESIDE = Set.of(
        // arithmetic of offsets, words and ids, without state
        "FrameDescriptor", "ImmediatePosition", "WorkRequestId",
        // what steps note or look up: positions, ledgers, what is attached, what has been passed and when
        "ImagePositions", "ReceiveCredits", "SendQueueLedger", "SendCompletions", "AttachedLinks", "StreamEnd",
        "ConsumerProgress", "RingHead", "IdleTime", "LapCheck", "SubscriptionEnd",
        "PostDeferrals", "DrainWatch", "LiveCounters",
        // the clock of messages that are stamped, and what is measured by it
        "StampClock", "MessageTimes", "MeasuredView",
        // who is in, so that a close waits
        "EntryGuard", "SharedEntryGuard",
        // the side ways: nothing to do, asleep, commands of the conductor, a message in parts
        "LinkSweep", "PollerSleep", "ConsumerSleep", "RingSleepers", "ReceiverCommands", "GatheredOffers",
        "DirectBufferVector",
        // where the way forks: the entries of others, each with a row of its own
        "SingleImagePoll", "ImagePoll", "PolledConsumer",
        // how long a scan stays away from a fast publisher
        "ScanModeration",
        // who is told that a link has ended, and the words of an error
        "ReceiverListener", "PublicationEnd", "PublicationOptions", "LogOptions", "MessageBounds",
        // what the application gives and is given
        "FragmentHandler", "ControlledFragmentHandler", "MessageEventHandler", "Header", "BufferClaim",
        // the device's doors
        "QueuePair", "CompletionQueue");

    @ParameterizedTest
    @CsvSource({
        "offer of an exclusive publication, 7, send,"
            + " Publication.offer ExclusiveOffers.offer ExclusivePoster.enter SendLog.append FrameWriter.write"
            + " ExclusivePoster.post LogPoster.postOnLinks OutboundLink.post",
        "offer of a shared publication, 7, send,"
            + " Publication.offer ConcurrentOffers.offer ConcurrentPoster.enter ConcurrentClaims.offer"
            + " FrameWriter.mark FrameWriter.putMessage ConcurrentClaims.end FrameWriter.commit"
            + " ConcurrentPoster.post LogPoster.postOnLinks OutboundLink.post",
        "single-image poll, 9, receive,"
            + " Subscription.poll DirectPoll.poll SingleImagePoll.look LogScan.receiveNext FrameReader.messageAt"
            + " ImageView.onMessage Subscription.handle InboundLink.isMaintenanceDue Receiver.maintain",
        "poll of a log that is scanned, 9, receive,"
            + " Subscription.poll DirectPoll.poll Receiver.drain LogScan.find FrameReader.committedEnd"
            + " FrameWalk.next FrameReader.frameAt ImageView.onMessage Subscription.handle"
            + " Receiver.maintain FeedbackWriter.write",
        "poll of writes that complete, 9, receive,"
            + " Subscription.poll DirectPoll.poll Receiver.drain LinkIndex.find InboundLink.onWrite FrameWalk.next"
            + " FrameReader.frameAt ImageView.onMessage Subscription.handle Receiver.maintain FeedbackWriter.write",
        "poll of a pinned poller into a ring, 9, receive,"
            + " Poller.doWork Receiver.drain LinkIndex.find InboundLink.onWrite EventRing.walk FrameWalk.next"
            + " FrameReader.frameAt EventSlot.set EventRing.reclaim Receiver.maintain FeedbackWriter.write",
        "commit of a claim that the application holds, 8, send,"
            + " BufferClaim.commit Publication.commit ExclusiveOffers.commit ExclusiveOffers.commitFrame"
            + " SendLog.commit FrameWriter.commit ExclusivePoster.post LogPoster.postOnLinks OutboundLink.post",
        "controlled poll, 9, receive,"
            + " Subscription.controlledPoll DirectPoll.pollAll DirectPoll.pollWhole Receiver.drain LogScan.find"
            + " FrameReader.committedEnd FrameWalk.next FrameReader.frameAt ImageView.onMessage"
            + " Subscription.handle Receiver.maintain FeedbackWriter.write",
        "poll of one image, 9, receive,"
            + " Image.poll Subscription.pollImage DirectPoll.poll Receiver.drain LogScan.find"
            + " FrameReader.committedEnd FrameWalk.next FrameReader.frameAt ImageView.onMessage"
            + " Subscription.handle Receiver.maintain FeedbackWriter.write",
        "poll of the ring, 9, receive,"
            + " Subscription.poll PolledConsumer.poll EventSlot.view ImageView.onEvent Subscription.handle",
        "handler of a graph, 9, receive,"
            + " EventConsumer.doWork EventConsumer.handle HeldEvent.take EventSlot.view ImageView.isOverwritten"
            + " MessageEvent.wrap ImageView.checkIntact"})
    void shouldGoThroughFewClasses(final String way, final int most, final String room, final String steps)
        throws IOException {
        final List<String> walk = Arrays.asList(steps.trim().split("\\s+"));

        assertEquals(List.of(), walk.stream().skip(1).filter(step -> !isCalled(step, walk)).toList(), way);
        assertEquals(Set.of(), unlisted(walk), way + ": a class is either a step or beside the way");
        final List<String> classes = classes(walk);
        assertTrue(classes.size() <= most, () -> way + ": " + classes.size() + " " + classes);
        final String page = Files.readString(TRANSPORT.resolve(room).resolve("package-info.java"));
        assertEquals(List.of(), walk.stream()
            .filter(step -> isInRoom(step.substring(0, step.indexOf('.')), room) && !isOn(page, step)).toList(),
            "not on the page of the room");
    }

    private static List<String> classes(final List<String> walk) {
        return walk.stream().map(step -> step.substring(0, step.indexOf('.'))).distinct().toList();
    }

    /** Whether a page names a class with a method, which may stand behind others of that class. */
    private static boolean isOn(final String page, final String step) {
        final String[] parts = step.split("\\.");
        return Pattern.compile("\\b" + parts[0] + "\\b[^:\n]*\\b" + parts[1] + "\\b").matcher(page).find();
    }

    private static boolean isInRoom(final String name, final String room) {
        return Files.exists(TRANSPORT.resolve(room).resolve(name + ".java"));
    }

    /** Whether a class of the walk calls the step, by the name of its class or of one above or below that. */
    private static boolean isCalled(final String step, final List<String> walk) {
        final JavaClass owner = find(step.substring(0, step.indexOf('.')));
        final List<JavaMethodCall> calls = new ArrayList<>();
        classes(walk).forEach(name -> calls.addAll(find(name).getMethodCallsFromSelf()));
        return calls.stream().anyMatch(call -> call.getName().equals(step.substring(step.indexOf('.') + 1))
            && (owner.isAssignableTo(call.getTargetOwner().getName())
                || call.getTargetOwner().isAssignableTo(owner.getName())));
    }

    @Test
    void shouldFindAClassThatAWayPassesUnlisted() {
        assertEquals(Set.of("OutboundLink"), unlisted(List.of("Subscription.poll", "LogPoster.postOnLinks")));
    }

    /** {@return classes of the product that steps of a walk call, which are neither on it nor beside it} */
    private static Set<String> unlisted(final List<String> walk) {
        final List<JavaClass> others = classes(stepsOfAllWays()).stream().map(MessageWaysTest::find).toList();
        final List<JavaClass> classes = classes(walk).stream().map(MessageWaysTest::find).toList();
        final Set<String> unlisted = new TreeSet<>();
        for (final String step : walk) {
            final String method = step.substring(step.indexOf('.') + 1);
            JavaClass owner = find(step.substring(0, step.indexOf('.')));
            while (owner.getPackageName().startsWith(PRODUCT)) {
                final List<JavaMethodCall> own =
                    owner.getMethodCallsFromSelf().stream().filter(call -> call.getOrigin().getName().equals(method))
                        .toList();
                called(own).filter(called -> !isOneOf(called, classes))
                    .forEach(called -> unlisted.add(called.getSimpleName()));
                called(byPrivateMethods(owner, own))
                    .filter(called -> !isOneOf(called, classes) && !isOneOf(called, others))
                    .forEach(called -> unlisted.add(called.getSimpleName()));
                owner = owner.getRawSuperclass().orElseThrow();
            }
        }
        return unlisted;
    }

    /** {@return the classes of the product that are called, but for those beside the way} */
    private static Stream<JavaClass> called(final List<JavaMethodCall> calls) {
        return calls.stream().map(JavaMethodCall::getTargetOwner)
            .filter(called -> called.getPackageName().startsWith("io.sluice"))
            .filter(called -> !BESIDE.contains(called.getSimpleName()));
    }

    private static boolean isOneOf(final JavaClass called, final List<JavaClass> classes) {
        return classes.stream().anyMatch(one -> one.isAssignableTo(called.getName()));
    }

    /** {@return the calls of all private methods of a class that are reached by calls of it} */
    private static List<JavaMethodCall> byPrivateMethods(final JavaClass owner, final List<JavaMethodCall> calls) {
        final List<JavaMethodCall> found = new ArrayList<>();
        final Set<JavaMethod> seen = new HashSet<>();
        final Deque<JavaMethodCall> open = new ArrayDeque<>(calls);
        while (!open.isEmpty()) {
            final JavaMethod target = open.pop().getTarget().resolveMember().orElse(null);
            if (target != null && target.getOwner().equals(owner)
                && target.getModifiers().contains(JavaModifier.PRIVATE) && seen.add(target)) {
                found.addAll(target.getMethodCallsFromSelf());
                open.addAll(target.getMethodCallsFromSelf());
            }
        }
        return found;
    }

    private static List<String> stepsOfAllWays() {
        return Arrays.stream(MessageWaysTest.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(CsvSource.class))
            .flatMap(method -> Arrays.stream(method.getAnnotation(CsvSource.class).value()))
            .flatMap(way -> Arrays.stream(way.substring(way.lastIndexOf(',') + 1).trim().split("\\s+"))).toList();
    }

    private static JavaClass find(final String simpleName) {
        return ProductClasses.ALL.stream()
            .filter(one -> one.getSimpleName().equals(simpleName) && one.getPackageName().startsWith(PRODUCT))
            .findFirst().orElseThrow(() -> new AssertionError("no such class: " + simpleName));
    }
}
