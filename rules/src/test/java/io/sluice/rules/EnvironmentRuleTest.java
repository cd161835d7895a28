package io.sluice.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;
import org.junit.jupiter.api.Test;

/**
 * The transport and the software provider reach clocks, threads, random numbers, sockets and files only through the
 * environment, so that a simulation can stand in for them.
 */
class EnvironmentRuleTest {
    @Test
    void shouldReachTheMachineOnlyThroughTheEnvironment() {
        noClasses().that().resideInAnyPackage("io.sluice.transport..", "io.sluice.verbs.software..")
            .should().accessTargetWhere(new EnvironmentCalls())
            .because("time, threads, randomness, sockets and files come from io.sluice.environment.Environment")
            .allowEmptyShould(true).check(ProductClasses.ALL);
    }

    @Test
    void shouldFindEveryForbiddenCall() {
        assertEquals(methodsOf(Offender.class), offendingMethodsOf(Offender.class));
    }

    @Test
    void shouldLetHarmlessCallsPass() {
        assertEquals(Set.of(), offendingMethodsOf(Innocent.class));
    }

    private static Set<String> offendingMethodsOf(final Class<?> type) {
        final EnvironmentCalls calls = new EnvironmentCalls();
        return imported(type).getAccessesFromSelf().stream()
            .filter(calls)
            .map(JavaAccess::getOwner)
            .map(owner -> owner.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> methodsOf(final Class<?> type) {
        return imported(type).getMethods().stream()
            .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
            .map(method -> method.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JavaClass imported(final Class<?> type) {
        return new ClassFileImporter().importClass(type);
    }

    /** Every method does one forbidden thing. Never run. */
    private static final class Offender {
        long readsNanoTime() {
            return System.nanoTime();
        }

        LongSupplier handsOutTheClock() {
            return System::currentTimeMillis;
        }

        Instant asksForTheInstant() {
            return Instant.now();
        }

        EpochClock takesAgronasClock() {
            return SystemEpochClock.INSTANCE;
        }

        Thread makesThread() {
            return new Thread("offender");
        }

        ThreadFactory makesThreads() {
            return Thread::new;
        }

        void startsThread(final Thread thread) {
            thread.start();
        }

        Thread.Builder buildsThread() {
            return Thread.ofVirtual();
        }

        void startsAgent(final AgentRunner runner) {
            AgentRunner.startOnThread(runner);
        }

        Object startsPool() {
            return Executors.newSingleThreadExecutor();
        }

        void sleeps() throws InterruptedException {
            Thread.sleep(1);
        }

        void sleepsByUnit() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }

        void parks() {
            LockSupport.parkNanos(1);
        }

        void waitsForLatch(final CountDownLatch latch) throws InterruptedException {
            latch.await();
        }

        int drawsNumber() {
            return new Random().nextInt() + ThreadLocalRandom.current().nextInt();
        }

        byte[] drawsSecurely() {
            return new SecureRandom().generateSeed(1);
        }

        UUID drawsIdentity() {
            return UUID.randomUUID();
        }

        double drawsFraction() {
            return Math.random();
        }

        Socket opensSocket() {
            return new Socket();
        }

        SocketChannel opensSocketChannel() throws IOException {
            return SocketChannel.open();
        }

        FileChannel opensFileChannel(final Path path) throws IOException {
            return FileChannel.open(path);
        }

        boolean looksAtFile(final Path path) {
            return Files.exists(path);
        }

        RandomAccessFile opensFile(final String name) throws IOException {
            return new RandomAccessFile(name, "r");
        }
    }

    /** Neighbours of what is forbidden. Never run. */
    private static final class Innocent {
        String namesTheThread() {
            return Thread.currentThread().getName();
        }

        void spins() {
            Thread.onSpinWait();
        }

        long addsUp(final Path path) {
            return Math.addExact(System.identityHashCode(path), path.getNameCount());
        }
    }
}
