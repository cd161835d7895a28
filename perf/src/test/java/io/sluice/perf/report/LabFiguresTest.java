package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lab's lines become one row for each program beside ours, and ratios are formed within a round only.
 */
class LabFiguresTest {
    private static final String HEADER = "measure,unit,round,program,value\n";

    @TempDir
    private Path folder;

    @Test
    void shouldCompareWithinRoundsOnly() throws IOException {
        final LabFigures figures = read("""
            RTT p50 32 B,us,1,2 x ib_send_lat,50
            RTT p50 32 B,us,1,2 x ib_write_lat,25
            RTT p50 32 B,us,1,sluice:rdma,100
            RTT p50 32 B,us,2,2 x ib_send_lat,100
            RTT p50 32 B,us,2,2 x ib_write_lat,50
            RTT p50 32 B,us,2,sluice:rdma,100
            RTT p50 32 B,us,3,2 x ib_send_lat,1000
            """, "rate 32 B,msg/s,1,ib_send_bw,1000\nrate 32 B,msg/s,1,sluice:rdma,4000\n");

        final List<List<String>> rows = figures.table().orElseThrow().rows();

        assertEquals(List.of(
            List.of("RTT p50 32 B, us", "100.0 [100.0 – 100.0]", "2 x ib_send_lat", "100.0 [50.00 – 1000.0]",
                "1.500 [1.000 – 2.000]", "2", "<= 1.15: NOT JUDGED: 3 are needed"),
            List.of("RTT p50 32 B, us", "100.0 [100.0 – 100.0]", "2 x ib_write_lat", "37.50 [25.00 – 50.00]",
                "3.000 [2.000 – 4.000]", "2", ""),
            List.of("rate 32 B, msg/s", "4000.0 [4000.0 – 4000.0]", "ib_send_bw", "1000.0 [1000.0 – 1000.0]",
                "4.000 [4.000 – 4.000]", "1", ">= 15.0: NOT JUDGED: 3 are needed")), rows.subList(1, rows.size()));
    }

    @Test
    void shouldShowAProgramWithoutOursBesideIt() throws IOException {
        final List<List<String>> rows = read("rate 32 B,msg/s,1,ib_send_bw,7\n").table().orElseThrow().rows();

        assertEquals(List.of("rate 32 B, msg/s", "-", "ib_send_bw", "7.000 [7.000 – 7.000]", "-", "0",
            ">= 15.0: NOT JUDGED: 3 are needed"), rows.get(1));
    }

    @Test
    void shouldJudgeByTheMedianOfThreeRounds() throws IOException {
        final StringBuilder lines = new StringBuilder();
        final int[] roundTrips = {114, 116, 200};
        final int[] rates = {1499, 1500, 9000};
        for (int round = 1; round <= 3; round++) {
            lines.append(String.format(Locale.ROOT, "RTT p50 32 B,us,%d,2 x ib_send_lat,100%n", round));
            lines.append(
                String.format(Locale.ROOT, "RTT p50 32 B,us,%d,sluice:rdma,%d%n", round, roundTrips[round - 1]));
            lines.append(String.format(Locale.ROOT, "rate 32 B,msg/s,%d,ib_send_bw,100%n", round));
            lines.append(String.format(Locale.ROOT, "rate 32 B,msg/s,%d,sluice:rdma,%d%n", round, rates[round - 1]));
        }

        final List<List<String>> rows = read(lines.toString()).table().orElseThrow().rows();

        assertEquals("<= 1.15: MISSED", rows.get(1).getLast());
        assertEquals(">= 15.0: met", rows.get(2).getLast());
    }

    @Test
    void shouldHaveNoTableWithoutFigures() throws IOException {
        assertTrue(LabFigures.NONE.table().isEmpty());
        assertTrue(read("").table().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "rtt,us,1,ib_send_lat", "rtt,us,1,ib_send_lat,5,6", "rtt,us,0,ib_send_lat,5", "rtt,us,one,ib_send_lat,5",
        "rtt,us,1,ib_send_lat,", "rtt,us,1,ib_send_lat,0", "rtt,us,1,ib_send_lat,-1", "rtt,us,1,ib_send_lat,NaN",
        "rtt,us,1,ib_send_lat,Infinity", "", "rtt,us,99999999,ib_send_lat,5"})
    void shouldNameTheLineThatIsNoFigure(String line) {
        final String text = "rtt,us,1,ib_send_lat,5\n" + line + "\n";

        final String message = assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage();

        assertTrue(message.contains("0.csv line=3 text=" + line + " expected="), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "round,program,value\n1,ib_send_lat,5\n"})
    void shouldRefuseAnotherKindOfFile(String text) throws IOException {
        final Path file = Files.writeString(folder.resolve("other.csv"), text);

        final String message = assertThrows(
            IllegalArgumentException.class, () -> LabFigures.read(List.of(file))).getMessage();

        assertTrue(message.contains("not a file of native/lab/rtt: file=" + file), message);
    }

    @Test
    void shouldTellThatThereIsNoFile() {
        assertThrows(NoSuchFileException.class, () -> LabFigures.read(List.of(folder.resolve("none.csv"))));
    }

    private LabFigures read(String... texts) throws IOException {
        final List<Path> files = new ArrayList<>();
        for (final String text : texts) {
            files.add(Files.writeString(folder.resolve(files.size() + ".csv"), HEADER + text));
        }
        return LabFigures.read(files);
    }
}
