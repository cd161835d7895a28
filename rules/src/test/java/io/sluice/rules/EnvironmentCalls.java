package io.sluice.rules;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Calls that only the environment may make: clocks, threads, parking, random numbers, sockets and files. Method
 * references count as calls.
 */
final class EnvironmentCalls extends DescribedPredicate<JavaAccess<?>> {
    /** Members of a class that are forbidden; the class may be a supertype of the one that is named in the call. */
    private static final Map<String, Pattern> MEMBERS = Map.ofEntries(
        member("java.lang.System", "nanoTime|currentTimeMillis"),
        member("java.lang.Thread",
            "<init>|start|startVirtualThread|ofPlatform|ofVirtual|sleep|join|yield"),
        member("java.lang.Thread$Builder", ".*"),
        member("java.lang.Object", "wait"),
        member("java.lang.Math", "random"),
        member("java.util.UUID", "randomUUID"),
        member("java.util.concurrent.TimeUnit", "sleep|timedJoin|timedWait"),
        member("java.util.concurrent.locks.LockSupport", "park.*"),
        member("java.util.concurrent.locks.Condition", "await.*"),
        member("java.util.concurrent.CountDownLatch", "await"),
        member("java.util.concurrent.Future", "get"),
        member("java.util.concurrent.CompletableFuture", "get|join|.*Async"),
        member("org.agrona.concurrent.AgentRunner", "startOnThread"),
        member("com.lmax.disruptor.util.DaemonThreadFactory", ".*"));

    /** Classes of which nothing may be used. */
    private static final Set<String> CLASSES = Set.of(
        "java.util.Random", "java.util.SplittableRandom", "java.util.concurrent.ThreadLocalRandom",
        "java.security.SecureRandom", "java.util.random.RandomGenerator",
        "java.util.Timer", "java.util.concurrent.Executors", "java.util.concurrent.ForkJoinPool",
        "java.util.concurrent.ThreadPoolExecutor",
        "java.nio.file.Files", "java.io.File", "java.io.FileInputStream", "java.io.FileOutputStream",
        "java.io.FileReader", "java.io.FileWriter", "java.io.RandomAccessFile",
        "org.agrona.IoUtil", "org.agrona.MarkFile",
        "org.agrona.concurrent.SystemEpochClock", "org.agrona.concurrent.SystemEpochMicroClock",
        "org.agrona.concurrent.SystemEpochNanoClock", "org.agrona.concurrent.SystemNanoClock",
        "org.agrona.concurrent.HighResolutionClock", "org.agrona.concurrent.HighResolutionTimer",
        "org.agrona.concurrent.OffsetEpochNanoClock", "org.agrona.concurrent.SnowflakeIdGenerator",
        "org.agrona.concurrent.SleepingIdleStrategy", "org.agrona.concurrent.SleepingMillisIdleStrategy",
        "org.agrona.concurrent.BackoffIdleStrategy",
        "com.lmax.disruptor.BlockingWaitStrategy", "com.lmax.disruptor.LiteBlockingWaitStrategy",
        "com.lmax.disruptor.LiteTimeoutBlockingWaitStrategy", "com.lmax.disruptor.TimeoutBlockingWaitStrategy",
        "com.lmax.disruptor.PhasedBackoffWaitStrategy", "com.lmax.disruptor.SleepingWaitStrategy");

    EnvironmentCalls() {
        super("does what only the environment may do");
    }

    @Override
    public boolean test(final JavaAccess<?> access) {
        final AccessTarget target = access.getTarget();
        final JavaClass owner = target.getOwner();
        final String name = target.getName();
        return isForbiddenByPackage(owner.getPackageName(), name)
            || CLASSES.stream().anyMatch(owner::isAssignableTo)
            || MEMBERS.entrySet().stream().anyMatch(
                entry -> entry.getValue().matcher(name).matches() && owner.isAssignableTo(entry.getKey()));
    }

    private static boolean isForbiddenByPackage(final String packageName, final String name) {
        return switch (packageName) {
            case "java.net" -> true;
            case "java.nio.channels" -> name.startsWith("open");
            case "java.time" -> name.equals("now") || name.startsWith("system") || name.startsWith("tick");
            default -> false;
        };
    }

    private static Map.Entry<String, Pattern> member(final String className, final String names) {
        return Map.entry(className, Pattern.compile(names));
    }
}
