package io.sluice.perf.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.perf.downcall.CardAction;
import io.sluice.perf.downcall.CardCase;
import io.sluice.perf.downcall.CardResult;
import io.sluice.verbs.model.ModelCard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The verdict is about what stops have waited for, and not about controls. */
class CardReportTest {
    private static final List<CardCase> CASES = CardCase.of(List.of(ModelCard.ERDMA));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private boolean report(final double providerWaitedUs, final double controlWaitedUs) {
        return CardReport.results(
            List.of(result(CASES.getFirst(), providerWaitedUs), result(CASES.getLast(), controlWaitedUs)),
            new PrintStream(printed));
    }

    private static CardResult result(final CardCase cardCase, final double waitedUs) {
        return new CardResult(cardCase, Map.of(CardAction.NOTHING, new CardResult.Stops(50, 60, 0),
            CardAction.FAIL, new CardResult.Stops(70, 70_000, waitedUs)));
    }

    @Test
    void shouldJudgeByWhatStopsHaveWaitedFor() {
        assertTrue(report(1000, 50_000));
        assertTrue(printed.toString().contains("erdma"), printed::toString);
        assertTrue(printed.toString().contains("70 / 70000 / 1000"), printed::toString);
        assertTrue(printed.toString().strip().endsWith(": met"), printed::toString);
    }

    @Test
    void shouldNameWhatAStopHasWaitedForTooLong() {
        assertFalse(report(1001, 50_000));
        assertTrue(printed.toString().strip().endsWith("MISSED: erdma fail 1001"), printed::toString);
    }
}
