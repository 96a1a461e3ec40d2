using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class MalformedValueTests
{
    [Theory]
    [InlineData("", "nothing")]
    [InlineData("01", "a constructor below 0x40")]
    [InlineData("4f", "a constructor that does not exist")]
    [InlineData("5602", "a boolean that is neither 0 nor 1")]
    [InlineData("a102c328", "a string that is not UTF-8")]
    [InlineData("a301ff", "a symbol that is not ASCII")]
    [InlineData("b0ffffffff", "a binary of 4 GiB")]
    [InlineData("b07fffffff00", "a binary of 2 GiB")]
    [InlineData("c000", "a list without count")]
    [InlineData("c00340", "a list larger than the bytes present")]
    [InlineData("c0020340", "a count larger than the bytes present")]
    [InlineData("c003014040", "elements that do not fill the size")]
    [InlineData("d0000000047fffffff", "a list of 2 Gi elements")]
    [InlineData("d0ffffffffffffffff", "a list of 4 GiB")]
    [InlineData("c10201 40", "a map with a key and no value")]
    [InlineData("c103024041", "a map with the key null")]
    [InlineData("c10504 4141 4142", "a map with a key twice")]
    [InlineData("e00201", "an array without constructor")]
    [InlineData("e0020110", "an array with an unknown constructor")]
    [InlineData("e0020010", "an empty array with an unknown constructor")]
    [InlineData("e0030270 00", "an array larger than the bytes present")]
    [InlineData("f00000000500100000 40", "more null elements than the limit")]
    [InlineData("f00000000500000401 40", "more elements without bytes than the limit")]
    [InlineData("00404040", "a descriptor that is null")]
    [InlineData("00", "a descriptor that is missing")]
    [InlineData("005324", "a described value that is missing")]
    public void Malformed_bytes_are_a_decode_error(string encoding, string what) =>
        Assert.NotNull(Bytes.DecodeFails(Bytes.Of(encoding)) ?? throw new InvalidOperationException(what));

    [Fact]
    public void Lists_nested_deeper_than_32_are_a_decode_error() => Bytes.DecodeFails(NestedLists(33));

    [Fact]
    public void Lists_nested_32_deep_are_read() => Assert.NotNull(Bytes.Decode(NestedLists(32)));

    [Fact]
    public void Described_values_nested_without_end_are_a_decode_error() =>
        Bytes.DecodeFails([.. Enumerable.Repeat(Bytes.Of("005301"), 100_000).SelectMany(bytes => bytes), 0x40]);

    [Fact]
    public void Descriptors_described_without_end_are_a_decode_error() => Bytes.DecodeFails(new byte[100_000]);

    [Fact]
    public void Array_constructors_described_without_end_are_a_decode_error()
    {
        byte[] descriptors = [.. Enumerable.Repeat(Bytes.Of("0044"), 100).SelectMany(bytes => bytes), 0x40];
        Bytes.DecodeFails([0xe0, (byte)(descriptors.Length + 1), 0, .. descriptors]);
    }

    [Fact]
    public void More_elements_than_65536_are_a_decode_error()
    {
        var list = new byte[9 + 65_537];
        Bytes.Of("d0 00010005 00010001").CopyTo(list, 0);
        list.AsSpan(9).Fill(0x40);
        Bytes.DecodeFails(list);
    }

    [Fact]
    public void Elements_without_bytes_are_limited_over_all_arrays_together()
    {
        byte[] array = [0xe0, 2, 255, 0x41];
        byte[] list = [0xc0, (byte)(1 + (array.Length * 5)), 5, .. Enumerable.Repeat(array, 5).SelectMany(bytes => bytes)];
        Bytes.DecodeFails(list);
    }

    private static byte[] NestedLists(int levels)
    {
        var value = new byte[] { 0x40 };
        for (var level = 0; level < levels; level++)
        {
            value = [0xd0, 0, 0, (byte)((value.Length + 4) >> 8), (byte)(value.Length + 4), 0, 0, 0, 1, .. value];
        }

        return value;
    }
}
