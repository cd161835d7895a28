package io.sluice.samples.marketdata;

import java.util.HexFormat;

/**
 * One message of each template of version 2 of the market data, computed from the schema without the generated codecs.
 * What is recorded today is read with them tomorrow: they never change.
 */
enum GoldenMarketData {
    TRADE("""
        26 00 01 00 16 1e 02 00    # block 38, template 1, schema 7702, version 2
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        fe ff ff ff ff ff ff ff    # tradeId: -2
        a0 5b 76 06 00 00 00 00    # price: 1.0842
        71 11 01 00                # instrumentId: 70001
        19 00 00 00                # quantity: 25
        02                         # aggressorSide: 2
        09                         # conditions: openingTrade, correction
        03 00 00 00                # orderCount: 3
        """),
    QUOTE("""
        29 00 02 00 16 1e 02 00    # block 41, template 2, schema 7702, version 2
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        c0 02 f9 21 ff ff ff ff    # bidPrice: -37.25
        ff ff ff ff ff ff ff 7f    # offerPrice: null
        ff ff ff ff                # instrumentId: -1
        0c 00 00 00                # bidQuantity: 12
        ff ff ff 7f                # offerQuantity: null
        01                         # condition: 1
        fe ff ff ff                # quoteSequence: 4294967294
        """),
    INCREMENTAL_BOOK_REFRESH("""
        0d 00 03 00 16 1e 02 00    # block 13, template 3, schema 7702, version 2
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        01 00 00 80                # sequence: 2147483649
        0a                         # matchEvent: lastBook, endOfEvent
        1f 00 02 00                # entries: 2 of 31
        90 34 76 06 00 00 00 00    # price: 108410000
        71 11 01 00                # instrumentId: 70001
        28 00 00 00                # quantity: 40
        e9 03 00 00                # instrumentSequence: 1001
        07 00 00 00                # orderCount: 7
        01                         # level: 1
        00                         # action: 0
        30                         # entryType: '0'
        05 00 00 00                # impliedQuantity: 5
        ff ff ff ff ff ff ff 7f    # price: null
        72 11 01 00                # instrumentId: 70002
        ff ff ff 7f                # quantity: null
        ff ff ff ff                # instrumentSequence: 4294967295
        ff ff ff 7f                # orderCount: null
        0a                         # level: 10
        02                         # action: 2
        31                         # entryType: '1'
        ff ff ff 7f                # impliedQuantity: null
        """),
    INSTRUMENT_DEFINITION("""
        33 00 04 00 16 1e 02 00    # block 51, template 4, schema 7702, version 2
        15 cd 85 3d fe 9c 97 17    # updateTimeNs: 1700000000123456789
        e8 03 00 00 00 00 00 00    # minPriceIncrement: 0.00001
        71 11 01 00                # instrumentId: 70001
        a0 86 01 00                # lotSize: 100000
        00 00 00 00                # maturityDate: null
        0c 00                      # attributes: negativePriceAllowed, blockTradeEligible
        03                         # securityType: 3
        01                         # tradingStatus: 1
        45 55 52                   # currency: 'EUR'
        00 e1 f5 05 00 00 00 00    # lowLimitPrice: 1
        ff ff ff ff ff ff ff 7f    # highLimitPrice: null
        06 00                      # symbol: 6 bytes
        45 55 52 55 53 44          # 'EURUSD'
        0a 00                      # description: 10 bytes
        e2 82 ac 20 69 6e 20 55 53 24
        04 00                      # exchange: 4 bytes
        58 53 4c 55                # 'XSLU'
        """);

    private final String hex;

    GoldenMarketData(String hex) {
        this.hex = hex;
    }

    /** The message with its header, in a fresh array of exactly its length. */
    byte[] bytes() {
        return parse(hex);
    }

    /** Hexadecimal digits with any space between them; a number sign begins a comment. */
    static byte[] parse(final String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("#.*", "").replaceAll("\\s", ""));
    }
}
