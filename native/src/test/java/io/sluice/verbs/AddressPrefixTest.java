package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPrefixTest {
    private static byte[] address(final String literal) {
        return InetAddress.ofLiteral(literal).getAddress();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true", "10.0.0.1, 10.0.0.2, false", "10.0.0.0/30, 10.0.0.3, true",
        "10.0.0.0/30, 10.0.0.4, false", "10.0.0.4/30, 10.0.0.3, false", "128.0.0.0/1, 255.1.2.3, true",
        "128.0.0.0/1, 127.1.2.3, false", "0.0.0.0/0, 1.2.3.4, true", "0.0.0.0/0, fe80::1, false",
        "::/0, 1.2.3.4, false", "fe80::/10, fe80::1, true", "fe80::/10, febf:ffff::1, true",
        "fe80::/10, fec0::1, false", "2001:db8::1, 2001:db8::1, true", "2001:db8::1, 2001:db8::2, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true", "::ffff:10.1.2.3, 10.1.2.3, true",
        "255.255.255.255/32, 255.255.255.254, false"
    })
    void shouldContainWhatBeginsWithItsBits(final String prefix, final String peer, final boolean isIn) {
        assertEquals(isIn, AddressPrefix.parse(prefix).contains(address(peer)));
    }

    /** Mapped addresses come as a verbs device tells them: Java itself unwraps them before they can be seen. */
    @Test
    void shouldTakeAMappedAddressForWhatItIs() {
        final byte[] mapped = new byte[16];
        Arrays.fill(mapped, 10, 12, (byte) 0xFF);
        System.arraycopy(address("10.1.2.3"), 0, mapped, 12, 4);
        assertTrue(AddressPrefix.parse("10.1.2.0/24").contains(mapped));
        assertEquals("10.1.2.0/24", AddressPrefix.parse("10.1.2.0/24").toString());
        assertFalse(AddressPrefix.parse("10.1.3.0/24").contains(mapped));
        mapped[0] = 1;
        assertFalse(AddressPrefix.parse("10.1.2.0/24").contains(mapped));
    }

    @Test
    void shouldNotContainWhatIsNoAddress() {
        for (final int length : new int[] {0, 1, 3, 5, 15, 17}) {
            assertFalse(AddressPrefix.parse("0.0.0.0/0").contains(new byte[length]));
            assertFalse(AddressPrefix.parse("::/0").contains(new byte[length]));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "localhost", "example.org", "10.0.0", "10", "010.0.0.256", "10.0.0.1:40123", "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.0/-1", "10.0.0.0/a", "10.0.0.0/8/8", "10.0.0.1/24", "::1/64", "[::1]", "fe80::1%eth0", "::/129", "::g",
        "0.0.0.0/1000", "/", "/8", "1.2.3.4 "
    })
    void shouldNameWhatItDoesNotUnderstand(final String text) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> AddressPrefix.parse(text)).getMessage();
        assertTrue(message.contains("address=" + text), message);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/33, 33, 32", "::/129, 129, 128", "0.0.0.0/1000, 1000, 32",
        "::/99999999999, 99999999999, 128"})
    void shouldTellHowManyBitsAnAddressHas(final String text, final String bits, final int maximum) {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> AddressPrefix.parse(text)).getMessage();
        assertTrue(message.contains("address=" + text + " bits=" + bits + " maximum=" + maximum), message);
    }
}
