package io.sluice.samples.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivateNamesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "host-7 | ada | on host-7, by ada (host-7.lab.example.org) | on [host], by [user] ([host])",
        "host-7.lab.example.org | ada | host-7 or host-7.lab.example.org | [host] or [host]",
        "host-7 | ada | my-host-7 and host-77 of adam | my-host-7 and host-77 of adam",
        "localhost | root | root of localhost | root of localhost",
        "'' | '' | nothing to take | nothing to take",
        "(none) | a | (none) of a | (none) of a",
        "a.b | x+y | axb and a.b | axb and [host]"})
    void shouldTakeTheNamesOfHostAndUserOut(
        final String host, final String user, final String text, final String cleaned) {
        assertEquals(cleaned, new PrivateNames(host, user).clean(text));
    }
}
