package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void shouldSeparateAndNest() {
        assertEquals("{\"a\":1,\"b\":[{\"c\":true},{}],\"d\":{\"e\":\"f\"},\"g\":[\"x\",\"y\"],\"h\":-2}", new Json()
            .beginObject().field("a", 1).beginArray("b").beginObject().field("c", true).endObject().beginObject()
            .endObject().endArray().beginObject("d").field("e", "f").endObject().beginArray("g").element("x")
            .element("y").endArray().field("h", -2).endObject().toString());
    }

    @Test
    void shouldQuoteWhatMustBeQuoted() {
        assertEquals("{\"\\\"\":\"\\\\ \\u000a \\u001b \\u00e9 \\ud83d\\ude00 {[:,\",\"b\":\"\"}", new Json()
            .beginObject().field("\"", "\\ \n \u001b \u00e9 \ud83d\ude00 {[:,").field("b", "").endObject().toString());
    }
}
