package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.kit.FuzzInputs;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Channel texts that somebody mistyped, or worse: understood, or refused by a message, and never anything else. */
class ChannelFuzzTest {
    private static final int INPUTS = 200_000;
    private static final int LONGEST_MESSAGE = 8192;
    private static final String ALPHABET = "|=?:,/.[]%-0123456789kmgnsaeiortdc\u0000é ";
    private static final List<String> MEDIA = List.of("sluice:ipc", "sluice:rdma", "sluice:", "aeron:ipc", "");
    private static final List<String> PAIRS = List.of(
        "endpoint=prices", "endpoint=10.0.0.1:40123", "endpoint=[fe80::1%eth0]:65535", "control=10.0.0.1:1",
        "control=prices", "control-mode=dynamic", "window=64k", "window=1g", "linger=5s", "session-id=-7",
        "mode=invoker", "mode=dedicated", "receive-depth=16384", "writes-in-flight=1", "log=shared", "log=copied",
        "completion=memory", "completion=queue", "ring=8192", "poller=0", "receive-timestamps=true",
        "timestamps=true", "latency=true",
        "fc=min,g:/2,t:5s", "fc=max", "fc=tagged,g:7/1", "gtag=-9223372036854775807", "alias=a=b", "device=mlx5_0",
        "port=254", "gid=255", "cq=legacy", "slow=evict", "evict-behind=50",
        "evict-timeout=1s", "window=99999999999999999999", "linger=9223372036854775807s", "x=y");

    @TempDir
    private Path folder;

    private Context context;
    private Channels channels;
    private int understood;
    private int refused;

    @BeforeEach
    void conclude() {
        context = new Context().directory(folder).conclude();
        channels = new Channels(context);
    }

    @AfterEach
    void close() {
        context.device().close();
    }

    @Test
    void shouldUnderstandAChannelOrSayWhyNot() {
        FuzzInputs.feed("channel", INPUTS, random -> read(text(random)));
        assertTrue(!FuzzInputs.areMany() || understood > 1000 && refused > 1000,
            () -> "understood=" + understood + " refused=" + refused);
    }

    private static String text(final SplittableRandom random) {
        final int medium = random.nextInt(8) == 0 ? random.nextInt(MEDIA.size()) : random.nextInt(2);
        final StringBuilder text = new StringBuilder(MEDIA.get(medium));
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(text.indexOf("?") < 0 ? '?' : '|').append(PAIRS.get(random.nextInt(PAIRS.size())));
        }
        return random.nextBoolean() ? text.toString() : FuzzInputs.mutated(text.toString(), ALPHABET, random);
    }

    private void read(final String channel) {
        try {
            channels.publication(channel, 1);
            channels.namesSession(channel);
            channels.subscription(channel, 1, channels.mode(channel, false), CompletionMode.SPIN);
            channels.poller(channel, 2);
            understood++;
        } catch (final IllegalArgumentException ex) {
            assertTrue(!ex.getMessage().isEmpty() && ex.getMessage().length() < LONGEST_MESSAGE, ex::toString);
            refused++;
        }
    }
}
