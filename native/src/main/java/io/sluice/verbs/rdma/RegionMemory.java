package io.sluice.verbs.rdma;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.foreign.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Zeroed pages of this process for one region. Whoever allocated them releases them, once.
 *
 * @param address      of the first byte.
 * @param mappedLength in bytes: whole pages.
 * @param isHuge       whether the pages are huge ones.
 */
record RegionMemory(long address, long mappedLength, boolean isHuge) {
    private static final long STANDARD_PAGE_LENGTH = 4096;
    private static final long UNKNOWN = 0;
    private static final Path MEMORY_INFORMATION = Path.of("/proc/meminfo");
    private static final String HUGE_PAGE_LENGTH = "Hugepagesize:";
    private static final long KIB = 1024;

    /**
     * Allocate.
     *
     * @throws VerbsException when there is no such memory, with what to do.
     */
    static RegionMemory allocate(final long length, final RegionPages pages) {
        if (pages == RegionPages.STANDARD) {
            return standard(length);
        }
        final long page = hugePageLength();
        final long mapped = page == UNKNOWN ? UNKNOWN : wholePages(length, page);
        final SetupCall.Result result = mapped == UNKNOWN ? null : SystemCalls.mapHuge(mapped);
        if (result != null && result.value() != -1) {
            return new RegionMemory(result.value(), mapped, true);
        }
        if (pages == RegionPages.HUGE_OR_STANDARD) {
            return standard(length);
        }
        if (result == null) {
            throw new VerbsException("mmap", 0, "no huge pages for " + length
                + " bytes: this kernel has none; use RegionPages.STANDARD");
        }
        throw new VerbsException("mmap", result.errno(), "no huge pages for " + length + " bytes: " + mapped / page
            + " of " + page / KIB + " KiB are needed; have the kernel keep some more of them"
            + " (sysctl vm.nr_hugepages=N), make the region smaller, or use RegionPages.HUGE_OR_STANDARD");
    }

    private static RegionMemory standard(final long length) {
        final long mapped = wholePages(length, STANDARD_PAGE_LENGTH);
        final SetupCall.Result result = SystemCalls.map(mapped);
        if (result.value() == -1) {
            throw new VerbsException("mmap", result.errno(),
                "no memory for " + length + " bytes; free some, or make the region smaller");
        }
        return new RegionMemory(result.value(), mapped, false);
    }

    private static long wholePages(final long length, final long page) {
        return (length + page - 1) / page * page;
    }

    /** Bytes of a huge page, 0 when the kernel has none. */
    private static long hugePageLength() {
        try {
            return hugePageLength(Files.readAllLines(MEMORY_INFORMATION));
        } catch (final IOException e) {
            return UNKNOWN;
        }
    }

    /** Length of a huge page by the lines of proc_meminfo(5). */
    static long hugePageLength(final List<String> lines) {
        return lines.stream().filter(line -> line.startsWith(HUGE_PAGE_LENGTH))
            .map(line -> Long.parseLong(line.substring(HUGE_PAGE_LENGTH.length()).replace("kB", "").trim()) * KIB)
            .findFirst().orElse(UNKNOWN);
    }

    /**
     * Bytes to register: of huge pages whole ones. A kernel that does not copy registered pages for a forked process is
     * told to leave them out of it, and leaves out no part of a huge page.
     */
    long registeredLength(final long length) {
        return isHuge ? mappedLength : length;
    }

    void release() {
        SystemCalls.unmap(address, mappedLength);
    }
}
