package io.sluice.verbs.rdma;

import java.util.List;
import java.util.Locale;

/**
 * The pages that the memory of regions lies in. A device keeps an address for each page, and a large region in large
 * pages misses its cache less often. Any thread.
 */
public enum RegionPages {
    /** Pages that the system property {@value #PROP_NAME} names as a device is opened; {@link #STANDARD} without it. */
    CONFIGURED,
    /** The kernel's usual ones, 4 KiB. */
    STANDARD,
    /** Huge pages of the kernel's default size, usually 2 MiB; a region for which there are not enough is refused. */
    HUGE,
    /** Huge pages where there are enough when a region is allocated, else the usual ones. */
    HUGE_OR_STANDARD;

    /** Name of the system property, whose value is another name of this type, in either case. */
    public static final String PROP_NAME = "sluice.verbs.rdma.pages";

    private static final List<RegionPages> KINDS = List.of(STANDARD, HUGE, HUGE_OR_STANDARD);

    /** One of the others for {@link #CONFIGURED}. */
    RegionPages resolve() {
        if (this != CONFIGURED) {
            return this;
        }
        final String name = System.getProperty(PROP_NAME, STANDARD.name());
        return KINDS.stream().filter(pages -> pages.name().equals(name.toUpperCase(Locale.ROOT))).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(PROP_NAME + "=" + name + " is none of " + KINDS));
    }
}
