package io.sluice.samples.marketdata;

/**
 * One message of each template of version 1 of the market data, computed from the schema without the generated codecs.
 * What is recorded today is read with them tomorrow: they never change.
 */
enum GoldenFirstMarketData {
    TRADE("""
        22 00 01 00 16 1e 01 00    # block 34, template 1, schema 7702, version 1
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        fe ff ff ff ff ff ff ff    # tradeId: -2
        a0 5b 76 06 00 00 00 00    # price: 1.0842
        71 11 01 00                # instrumentId: 70001
        19 00 00 00                # quantity: 25
        02                         # aggressorSide: 2
        09                         # conditions: openingTrade, correction
        """),
    QUOTE("""
        25 00 02 00 16 1e 01 00    # block 37, template 2, schema 7702, version 1
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        c0 02 f9 21 ff ff ff ff    # bidPrice: -37.25
        ff ff ff ff ff ff ff 7f    # offerPrice: null
        ff ff ff ff                # instrumentId: -1
        0c 00 00 00                # bidQuantity: 12
        ff ff ff 7f                # offerQuantity: null
        01                         # condition: 1
        """),
    INCREMENTAL_BOOK_REFRESH("""
        0d 00 03 00 16 1e 01 00    # block 13, template 3, schema 7702, version 1
        15 cd 85 3d fe 9c 97 17    # transactTimeNs: 1700000000123456789
        01 00 00 80                # sequence: 2147483649
        0a                         # matchEvent: lastBook, endOfEvent
        1b 00 02 00                # entries: 2 of 27
        90 34 76 06 00 00 00 00    # price: 108410000
        71 11 01 00                # instrumentId: 70001
        28 00 00 00                # quantity: 40
        e9 03 00 00                # instrumentSequence: 1001
        07 00 00 00                # orderCount: 7
        01                         # level: 1
        00                         # action: 0
        30                         # entryType: '0'
        ff ff ff ff ff ff ff 7f    # price: null
        72 11 01 00                # instrumentId: 70002
        ff ff ff 7f                # quantity: null
        ff ff ff ff                # instrumentSequence: 4294967295
        ff ff ff 7f                # orderCount: null
        0a                         # level: 10
        02                         # action: 2
        31                         # entryType: '1'
        """),
    INSTRUMENT_DEFINITION("""
        23 00 04 00 16 1e 01 00    # block 35, template 4, schema 7702, version 1
        15 cd 85 3d fe 9c 97 17    # updateTimeNs: 1700000000123456789
        e8 03 00 00 00 00 00 00    # minPriceIncrement: 0.00001
        71 11 01 00                # instrumentId: 70001
        a0 86 01 00                # lotSize: 100000
        00 00 00 00                # maturityDate: null
        0c 00                      # attributes: negativePriceAllowed, blockTradeEligible
        03                         # securityType: 3
        01                         # tradingStatus: 1
        45 55 52                   # currency: 'EUR'
        06 00                      # symbol: 6 bytes
        45 55 52 55 53 44          # 'EURUSD'
        0a 00                      # description: 10 bytes
        e2 82 ac 20 69 6e 20 55 53 24
        """);

    private final String hex;

    GoldenFirstMarketData(String hex) {
        this.hex = hex;
    }

    /** The message with its header, in a fresh array of exactly its length. */
    byte[] bytes() {
        return GoldenMarketData.parse(hex);
    }
}
