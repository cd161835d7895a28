package io.sluice.samples;

import picocli.CommandLine.Option;

/**
 * The option of the commands whose look can be printed for programs.
 */
final class JsonOption {
    @Option(names = "--json", order = 41, description = "Print JSON, one object per line.")
    private boolean isJson;

    boolean isJson() {
        return isJson;
    }
}
