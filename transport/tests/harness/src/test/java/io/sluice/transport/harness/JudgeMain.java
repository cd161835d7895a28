package io.sluice.transport.harness;

import io.sluice.transport.harness.Audit.Debt;
import java.nio.file.Path;

/**
 * Compares the journals of a publication that was closed with those of a subscription that has outlived it, for scripts
 * that bring them together. Arguments: folder, publisher, session id, subscriber, messages expected. Exit code 0 when
 * all of them are there once and unharmed.
 */
final class JudgeMain {
    private JudgeMain() {
    }

    public static void main(final String[] arguments) {
        final Audit audit = new Audit(Path.of(arguments[0]));
        final long messages = audit.judge(
            arguments[1], Integer.parseInt(arguments[2]), arguments[3], "", new Debt(true, true));
        System.out.println(messages + " messages, lost " + audit.lost() + ", duplicated " + audit.duplicated()
            + ", corrupted " + audit.corrupted());
        if (!audit.isFlawless()) {
            System.out.println(audit.firstFinding());
        }
        System.exit(audit.isFlawless() && messages == Long.parseLong(arguments[4]) ? 0 : 1);
    }
}
