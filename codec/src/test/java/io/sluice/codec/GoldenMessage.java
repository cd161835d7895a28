package io.sluice.codec;

import java.util.HexFormat;

/**
 * One message of each template as it goes over the wire, computed from the schema without the generated codecs: if one
 * of these has to change, the wire has changed.
 */
enum GoldenMessage {
    HELLO("""
        31 00 01 00 15 1e 01 00    # block 49, template 1, schema 7701, version 1
        ef cd ab 89 67 45 23 01    # transportId.high: 0x123456789abcdef
        11 32 54 76 98 ba dc fe    # transportId.low: -0x123456789abcdef
        92 10 00 00 00 00 00 00    # processId: 4242
        00 e4 0b 54 02 00 00 00    # livenessTimeoutNs: 10000000000
        00 e1 f5 05 00 00 00 00    # heartbeatIntervalNs: 100000000
        01 00 00 00                # protocolVersion: 1
        01 00 00 00                # oldestProtocolVersion: 1
        01                         # authentication: 1
        06 00                      # clientName: 6 bytes
        70 72 69 63 65 72          # 'pricer'
        0e 00                      # endpoint: 14 bytes
        31 30 2e 30 2e 30 2e 31 3a 34 30 31 32 33 # '10.0.0.1:40123'
        """),
    CHALLENGE("""
        30 00 02 00 15 1e 01 00    # block 48, template 2, schema 7701, version 1
        20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f # nonce: 0x20 to 0x3f
        30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f
        ef cd ab 89 67 45 23 01    # transportId.high: 0x123456789abcdef
        11 32 54 76 98 ba dc fe    # transportId.low: -0x123456789abcdef
        """),
    ANSWER("""
        20 00 03 00 15 1e 01 00    # block 32, template 3, schema 7701, version 1
        20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f # digest: 0x20 to 0x3f
        30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f
        """),
    SUBSCRIBE("""
        14 00 04 00 15 1e 01 00    # block 20, template 4, schema 7701, version 1
        07 00 00 00 00 00 00 00    # subscriptionId: 7
        00 00 00 00 00 00 00 80    # groupTag: -0x8000000000000000
        e9 03 00 00                # streamId: 1001
        1a 00                      # channel: 26 bytes
        73 6c 75 69 63 65 3a 69 70 63 3f 65 6e 64 70 6f # 'sluice:ipc?endpo'
        69 6e 74 3d 70 72 69 63 65 73 # 'int=prices'
        """),
    UNSUBSCRIBE("""
        08 00 05 00 15 1e 01 00    # block 8, template 5, schema 7701, version 1
        07 00 00 00 00 00 00 00    # subscriptionId: 7
        """),
    SETUP("""
        60 00 06 00 15 1e 01 00    # block 96, template 6, schema 7701, version 1
        88 77 66 55 44 33 22 11    # linkId: 0x1122334455667788
        07 00 00 00 00 00 00 00    # subscriptionId: 7
        ef cd ab 89 67 45 23 01    # incarnation.high: 0x123456789abcdef
        11 32 54 76 98 ba dc fe    # incarnation.low: -0x123456789abcdef
        a0 9a 78 56 34 12 00 00    # resumePosition: 0x123456789aa0
        00 00 00 00 00 00 00 40    # publicationPosition: 0x4000000000000000
        00 10 00 00 00 80 ff ff    # feedbackAddress: 0xffff800000001000
        00 00 00 00 00 7f 00 00    # logAddress: 0x7f0000000000
        03 00 00 00                # epoch: 3
        ff ff ff ff                # feedbackKey: 4294967295
        00 10 00 00                # logKey: 4096
        e9 03 00 00                # streamId: 1001
        fb ff ff ff                # sessionId: -5
        00 00 10 00                # windowLength: 1048576
        10 00 00 00                # writesInFlight: 16
        03 00 00 00                # flags: 3
        03 00                      # queuePairAddress: 3 bytes
        01 02 03
        01 00                      # logToken: 1 bytes
        fe
        1b 00                      # channel: 27 bytes
        73 6c 75 69 63 65 3a 69 70 63 3f 65 6e 64 70 6f # 'sluice:ipc?endpo'
        69 6e 74 3d 6b 75 72 73 e2 82 ac
        """),
    ACCEPT("""
        28 00 07 00 15 1e 01 00    # block 40, template 7, schema 7701, version 1
        88 77 66 55 44 33 22 11    # linkId: 0x1122334455667788
        ff ff ff ff ff ff ff ff    # receivedPosition: -1
        00 20 00 00 00 7f 00 00    # ringAddress: 0x7f0000002000
        fe ff ff ff                # epoch: 4294967294
        01 00 00 80                # ringKey: 2147483649
        40 00 00 00                # receiveDepth: 64
        01 00 00 00                # flags: 1
        02 00                      # queuePairAddress: 2 bytes
        09 08
        """),
    REFUSE("""
        0d 00 08 00 15 1e 01 00    # block 13, template 8, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        01 00 00 00                # epoch: 1
        07                         # reason: 7
        07 00                      # text: 7 bytes
        63 6c 6f 73 69 6e 67       # 'closing'
        """),
    ESTABLISHED("""
        14 00 09 00 15 1e 01 00    # block 20, template 9, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        a0 9a 78 56 34 12 00 00    # joinPosition: 0x123456789aa0
        01 00 00 00                # epoch: 1
        """),
    HEARTBEAT("""
        10 00 0a 00 15 1e 01 00    # block 16, template 10, schema 7701, version 1
        63 00 00 00 00 00 00 00    # sequence: 99
        ff ff ff ff ff ff ff ff    # timeNs: -1
        15 00 02 00                # links: 2 entries of 21
        02 00 00 00 00 00 00 00    # linkId: 2
        a0 9a 78 56 34 12 00 00    # position: 0x123456789aa0
        01 00 00 00                # epoch: 1
        00                         # role: 0
        03 00 00 00 00 00 00 00    # linkId: 3
        00 00 00 00 00 00 00 00    # position: 0
        04 00 00 00                # epoch: 4
        01                         # role: 1
        """),
    END_OF_STREAM("""
        14 00 0b 00 15 1e 01 00    # block 20, template 11, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        a0 9a 78 56 34 12 00 00    # endPosition: 0x123456789aa0
        01 00 00 00                # epoch: 1
        """),
    END_OF_STREAM_RECEIVED("""
        14 00 0c 00 15 1e 01 00    # block 20, template 12, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        a0 9a 78 56 34 12 00 00    # receivedPosition: 0x123456789aa0
        01 00 00 00                # epoch: 1
        """),
    LINK_BROKEN("""
        22 00 0d 00 15 1e 01 00    # block 34, template 13, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        a0 9a 78 56 34 12 00 00    # receivedPosition: 0x123456789aa0
        ff ff ff ff ff ff ff ff    # publicationPosition: -1
        01 00 00 00                # epoch: 1
        01 00 00 00                # flags: 1
        01                         # role: 1
        02                         # reason: 2
        07 00                      # text: 7 bytes
        6f 76 65 72 72 75 6e       # 'overrun'
        """),
    EVICT("""
        14 00 0e 00 15 1e 01 00    # block 20, template 14, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        00 00 01 00 00 00 00 00    # consumerBytesBehind: 65536
        01 00 00 00                # epoch: 1
        07 00                      # consumerName: 7 bytes
        6a 6f 75 72 6e 61 6c       # 'journal'
        00 00                      # text: 0 bytes
        """),
    CLOSE_LINK("""
        0e 00 0f 00 15 1e 01 00    # block 14, template 15, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        01 00 00 00                # epoch: 1
        00                         # role: 0
        01                         # reason: 1
        """),
    GOODBYE("""
        01 00 10 00 15 1e 01 00    # block 1, template 16, schema 7701, version 1
        03                         # reason: 3
        09 00                      # text: 9 bytes
        76 65 72 73 69 6f 6e 20 32 # 'version 2'
        """),
    BACK_PRESSURE("""
        1e 00 11 00 15 1e 01 00    # block 30, template 17, schema 7701, version 1
        02 00 00 00 00 00 00 00    # linkId: 2
        00 10 00 00 00 00 00 00    # bytesBehind: 4096
        dc 05 00 00 00 00 00 00    # durationNs: 1500
        01 00 00 00                # epoch: 1
        01                         # state: 1
        01                         # cause: 1
        07 00                      # consumerName: 7 bytes
        6a 6f 75 72 6e 61 6c       # 'journal'
        """),
    INTRODUCTION("""
        08 00 12 00 15 1e 01 00    # block 8, template 18, schema 7701, version 1
        92 10 00 00 00 00 00 00    # processId: 4242
        06 00                      # clientName: 6 bytes
        70 72 69 63 65 72          # 'pricer'
        0e 00                      # endpoint: 14 bytes
        31 30 2e 30 2e 30 2e 31 3a 34 30 31 32 33 # '10.0.0.1:40123'
        """);

    private final String hex;

    GoldenMessage(String hex) {
        this.hex = hex;
    }

    /** The message with its header, in a fresh array of exactly its length. */
    byte[] bytes() {
        return parse(hex);
    }

    /** Hexadecimal digits with any space between them; a number sign begins a comment. */
    static byte[] parse(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("#.*", "").replaceAll("\\s", ""));
    }
}
