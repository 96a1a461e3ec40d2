using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class EncodedMapTests
{
    private static readonly string[] Keys = ["a", "b", "x-opt-sequence-number", "x-opt-offset", ""];
    private static readonly object?[] Values =
    [
        null,
        1,
        2L,
        3u,
        ulong.MaxValue,
        (short)-4,
        "text",
        new AmqpSymbol("symbol"),
        new AmqpTimestamp(5),
        true,
        new AmqpMap { { "a", 7 } },
    ];
    private static readonly Func<string, object>[] Forms = [static key => key, static key => new AmqpSymbol(key), static key => key.Length];

    [Fact]
    public void Finds_what_the_decoded_map_finds() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Gen.Choose(0, 1_000_000).ToArbitrary(),
                (int seed) =>
                {
                    var random = new Random(seed);
                    var map = new AmqpMap();
                    foreach (var key in Keys.Where(_ => random.Next(3) > 0).OrderBy(_ => random.Next()))
                    {
                        map[Forms[random.Next(Forms.Length)](key)] = Values[random.Next(Values.Length)];
                    }

                    var encoded = new EncodedMap(Encode(map));
                    foreach (var key in Keys)
                    {
                        Assert.Equal(map.FindString(key), encoded.FindString(key));
                        Assert.Equal(map.FindInteger(key), encoded.FindInteger(key));
                        Assert.Equal(map.Find(key) as AmqpTimestamp?, encoded.FindTimestamp(key));
                        Assert.Equal(map.Find(key) is null, encoded.Find(key) is null);
                    }
                }
            )
        );

    [Theory]
    [MemberData(nameof(AmqpMapTests.Integers), MemberType = typeof(AmqpMapTests))]
    public void FindInteger_reads_every_width(object? value, long? expected) =>
        Assert.Equal(expected, new EncodedMap(Encode(new AmqpMap { { "key", value }, { "behind", 1 } })).FindInteger("key"));

    [Fact]
    public void Nothing_is_found_where_there_is_no_map() => Assert.Null(default(EncodedMap).Find("a"));

    [Theory]
    [InlineData(new byte[] { 0x40 })]
    [InlineData(new byte[] { 0xc1, 0x04, 0x01, 0xa3, 0x01, 0x61 })]
    [InlineData(new byte[] { 0xc1, 0x09, 0x02, 0xa3, 0x01, 0x61 })]
    [InlineData(new byte[] { 0xc1, 0x05, 0x02, 0xa3, 0x09, 0x61, 0x40 })]
    public void A_value_that_is_not_a_map_is_refused(byte[] encoded) =>
        Assert.Equal(AmqpErrorScope.Decode, Assert.Throws<AmqpException>(() => new EncodedMap(encoded).Find("b")).Scope);

    private static byte[] Encode(AmqpMap map)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(output);
        writer.WriteValue(map);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }
}
