package io.sluice.verbs.model;

import io.sluice.verbs.rdma.PostingInterface;
import java.util.List;

/**
 * Tests of the suite that fail over a model card today, and why: the only table. Whoever mends the provider takes the
 * rows out; {@code -Dsluice.verbs.model.known=run} runs them to see which are left.
 */
final class KnownViolations {
    static final String BUILDER = "+builder";
    /** The message by which a test ends that needs what a card of {@link Trait#LACKS_CONNECTIONS} has not. */
    static final String NO_CONNECTIONS = "makes no reliable connected queue pairs (errno=95 EOPNOTSUPP)";
    private static final String PROPERTY = "sluice.verbs.model.known";
    private static final String REFUSED_IN_ERROR =
        "what is posted to a queue pair that is known to be in the ERROR state is refused with EIO, and not flushed";
    private static final String INVALID_IN_ERROR =
        "what is posted to a queue pair that the library knows to have failed is refused with EINVAL, and not flushed";
    private static final String NO_PARENT_DOMAIN =
        "the device has parent domains, but a completion queue in one has to be extended, and these are legacy";
    private static final String ALL_OR_NONE = "a chain by ibv_qp_ex is posted whole or not at all";
    private static final String TAKES_ALL = "ibv_poll_cq takes 16 completions, and with them their places are free";
    private static final List<Known> ROWS = List.of(
        new Known("erdma", "ErrorFlushTest#should(Flush|Bound)(Sends|Receives)PostedInError", REFUSED_IN_ERROR),
        new Known("erdma", "ErrorFlushTest#shouldGiveUpAPeerInError", REFUSED_IN_ERROR),
        new Known("erdma", "ReadTest#shouldFlushReadsPostedInError", REFUSED_IN_ERROR),
        new Known("erdma", "CompletionValidityTest#shouldReadFourFieldsOfAFlushedRequestOnly", REFUSED_IN_ERROR),
        new Known("mana", "ErrorFlushTest#should(Flush|Bound)(Sends|Receives)PostedInError", INVALID_IN_ERROR),
        new Known("mana", "ErrorFlushTest#shouldGiveUpAPeerInError", INVALID_IN_ERROR),
        new Known("mana", "ReadTest#shouldFlushReadsPostedInError", INVALID_IN_ERROR),
        new Known("mana", "CompletionValidityTest#shouldReadFourFieldsOfAFlushedRequestOnly", INVALID_IN_ERROR),
        new Known("hns ionic", "CompletionQueueCreationTest#shouldWorkInAParentDomainOrRefuseItByName",
            NO_PARENT_DOMAIN),
        new Known("mana bnxt erdma qedr irdma hns ionic", "SignallingTest#shouldRefuseWhenTheSendQueueIsFull",
            TAKES_ALL),
        new Known("mlx5+builder mlx5_vf+builder bnxt+builder hns+builder",
            "SendChainTest#shouldKeepWhatDoesNotFitInTheSendQueue", ALL_OR_NONE));

    private KnownViolations() {
    }

    /**
     * A row.
     *
     * @param cards  names, with blanks between; with {@value #BUILDER} behind those of runs that post by it only.
     * @param test   pattern of class and method.
     * @param reason what the provider does, or does not.
     */
    record Known(String cards, String test, String reason) {
        boolean isOf(final ModelCard card, final PostingInterface posting) {
            final List<String> names = List.of(cards.split(" "));
            return names.contains(card.name())
                || posting == PostingInterface.BUILDER && names.contains(card.name() + BUILDER);
        }
    }

    static List<String> of(final ModelCard card, final PostingInterface posting) {
        return "run".equals(System.getProperty(PROPERTY)) ? List.of()
            : ROWS.stream().filter(row -> row.isOf(card, posting)).map(Known::test).toList();
    }
}
