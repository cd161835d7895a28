package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrnoTest {
    @ParameterizedTest
    @CsvSource({
        "0, OK", "1, EPERM", "9, EBADF", "11, EAGAIN", "12, ENOMEM", "22, EINVAL", "23, ENFILE", "24, EMFILE",
        "35, EDEADLK",
        "38, ENOSYS", "61, ENODATA", "62, ETIME", "71, EPROTO", "95, EOPNOTSUPP", "98, EADDRINUSE",
        "99, EADDRNOTAVAIL", "104, ECONNRESET", "110, ETIMEDOUT", "113, EHOSTUNREACH", "121, EREMOTEIO",
        "133, EHWPOISON", "524, ENOTSUPP", "41, unnamed", "58, unnamed", "134, unnamed", "-1, unnamed",
        "2147483647, unnamed"
    })
    void shouldNameEveryErrorOfTheSystem(final int errno, final String name) {
        assertEquals(errno + " " + name, Errno.describe(errno));
    }
}
