using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>Each row: a value, its canonical encoding, and the other encodings that must decode alike.</summary>
public sealed class PrimitiveEncodingTests
{
    public static TheoryData<object?, string, string[]> Rows =>
        new()
        {
            { null, "40", [] },
            { true, "41", ["5601"] },
            { false, "42", ["5600"] },
            { (byte)0, "5000", [] },
            { (byte)255, "50ff", [] },
            { (sbyte)-128, "5180", [] },
            { (sbyte)127, "517f", [] },
            { (ushort)0, "600000", [] },
            { ushort.MaxValue, "60ffff", [] },
            { short.MinValue, "618000", [] },
            { short.MaxValue, "617fff", [] },
            { 0u, "43", ["5200", "7000000000"] },
            { 1u, "5201", ["7000000001"] },
            { 255u, "52ff", ["70000000ff"] },
            { 256u, "7000000100", [] },
            { uint.MaxValue, "70ffffffff", [] },
            { 0, "5400", ["7100000000"] },
            { 127, "547f", ["710000007f"] },
            { 128, "7100000080", [] },
            { -128, "5480", ["71ffffff80"] },
            { -129, "71ffffff7f", [] },
            { int.MinValue, "7180000000", [] },
            { int.MaxValue, "717fffffff", [] },
            { 0ul, "44", ["5300", "800000000000000000"] },
            { 255ul, "53ff", ["8000000000000000ff"] },
            { 256ul, "800000000000000100", [] },
            { ulong.MaxValue, "80ffffffffffffffff", [] },
            { 0L, "5500", ["810000000000000000"] },
            { 1L, "5501", ["810000000000000001"] },
            { 127L, "557f", ["81000000000000007f"] },
            { 128L, "810000000000000080", [] },
            { -128L, "5580", ["81ffffffffffffff80"] },
            { -129L, "81ffffffffffffff7f", [] },
            { long.MinValue, "818000000000000000", [] },
            { long.MaxValue, "817fffffffffffffff", [] },
            { 1.5f, "723fc00000", [] },
            { -1.5, "82bff8000000000000", [] },
            { new AmqpChar('A'), "7300000041", [] },
            { new AmqpTimestamp(1795244343867), "83000001a1fce6c23b", [] },
            { new AmqpTimestamp(-1), "83ffffffffffffffff", [] },
            { Guid.Parse("8e2c0ea3-9044-b245-0001-020304050607"), "988e2c0ea39044b2450001020304050607", [] },
            { new AmqpDecimal(new byte[] { 1, 2, 3, 4 }), "7401020304", [] },
            { new AmqpDecimal(new byte[8]), "840000000000000000", [] },
            { new AmqpDecimal(new byte[16]), "9400000000000000000000000000000000", [] },
            { string.Empty, "a100", ["b100000000"] },
            { "€", "a103e282ac", ["b100000003e282ac"] },
            { new AmqpSymbol("ab"), "a3026162", ["b3000000026162"] },
        };

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_value_has_its_shortest_encoding_and_every_other_decodes_alike(object? value, string canonical, string[] others)
    {
        Assert.Equal(canonical, Bytes.Hex(Bytes.Encode(value)));
        foreach (var encoding in others.Append(canonical))
        {
            Assert.Equal(value, Bytes.Decode(Bytes.Of(encoding)));
        }
    }

    [Theory]
    [InlineData(0, "a0")]
    [InlineData(255, "a0")]
    [InlineData(256, "b0")]
    [InlineData(70_000, "b0")]
    public void Binary_takes_the_short_form_up_to_255_bytes(int length, string constructor)
    {
        var content = new byte[length];
        Random.Shared.NextBytes(content);
        var encoded = Bytes.Encode(content);
        Assert.Equal(constructor, Bytes.Hex(encoded.AsSpan(0, 1)));
        Assert.Equal(content, ((ReadOnlyMemory<byte>)Bytes.Decode(encoded)!).ToArray());
    }

    [Theory]
    [InlineData("a", 255, "a1ff")]
    [InlineData("a", 256, "b100000100")]
    [InlineData("ü", 127, "a1fe")]
    [InlineData("ü", 128, "b100000100")]
    [InlineData("€", 85, "a1ff")]
    [InlineData("€", 86, "b100000102")]
    [InlineData("😀", 63, "a1fc")]
    [InlineData("😀", 64, "b100000100")]
    [InlineData("€", 5000, "b100003a98")]
    public void A_string_takes_the_short_form_up_to_255_bytes_of_utf8(string piece, int times, string start)
    {
        var text = string.Concat(Enumerable.Repeat(piece, times));
        var encoded = Bytes.Encode(text);
        Assert.StartsWith(start, Bytes.Hex(encoded), StringComparison.Ordinal);
        Assert.Equal(text, Bytes.Decode(encoded));
    }

    [Fact]
    public void A_symbol_that_is_not_ascii_is_refused() => Assert.Throws<ArgumentException>(() => Bytes.Encode(new AmqpSymbol("ü")));

    [Fact]
    public void A_type_without_counterpart_is_refused() => Assert.Throws<ArgumentException>(() => Bytes.Encode(TimeSpan.Zero));
}
