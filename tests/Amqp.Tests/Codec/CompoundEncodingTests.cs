using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class CompoundEncodingTests
{
    [Theory]
    [InlineData("45")]
    [InlineData("c00100")]
    [InlineData("d00000000400000000")]
    public void Every_form_of_the_empty_list_decodes_to_it(string encoding)
    {
        Assert.Empty(Assert.IsType<AmqpList>(Bytes.Decode(Bytes.Of(encoding))));
        Assert.Equal("45", Bytes.Hex(Bytes.Encode(new AmqpList())));
    }

    [Theory]
    [InlineData("c00502 5401 a100")]
    [InlineData("d000000008 00000002 5401 a100")]
    public void Short_and_long_lists_decode_alike(string encoding)
    {
        var list = Assert.IsType<AmqpList>(Bytes.Decode(Bytes.Of(encoding)));
        Assert.Equal([1, string.Empty], list);
        Assert.Equal("c005025401a100", Bytes.Hex(Bytes.Encode(list)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(90)]
    [InlineData(200)]
    public void Compounds_written_value_by_value_equal_those_written_whole(int count)
    {
        AmqpList list = [.. Enumerable.Range(0, count).Select(static i => (object?)i)];
        AmqpMap map = [];
        var output = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(output);
        var (begun, number) = (writer.BeginList(), 0);
        for (; number < count; number++)
        {
            writer.WriteInt(number);
            map.Add($"{number}", number);
        }

        writer.EndList(begun, count);
        begun = writer.BeginMap();
        for (number = 0; number < count; number++)
        {
            writer.WriteString($"{number}");
            writer.WriteInt(number);
        }

        writer.EndMap(begun, count);
        writer.Flush();
        Assert.Equal(Bytes.Hex(Bytes.Encode(list)) + Bytes.Hex(Bytes.Encode(map)), Bytes.Hex(output.WrittenSpan));
    }

    [Theory]
    [InlineData("c10100")]
    [InlineData("d10000000400000000")]
    public void Every_form_of_the_empty_map_decodes_to_it(string encoding)
    {
        Assert.Equal(0, Assert.IsType<AmqpMap>(Bytes.Decode(Bytes.Of(encoding))).Count);
        Assert.Equal("c10100", Bytes.Hex(Bytes.Encode(new AmqpMap())));
    }

    [Theory]
    [InlineData(254, "c0fffe")]
    [InlineData(255, "d000000103000000ff")]
    public void A_list_takes_the_long_form_once_its_size_needs_it(int elements, string start)
    {
        var encoded = Bytes.Encode(new AmqpList(Enumerable.Repeat<object?>(null, elements)));
        Assert.StartsWith(start, Bytes.Hex(encoded), StringComparison.Ordinal);
        Assert.Equal(elements, Assert.IsType<AmqpList>(Bytes.Decode(encoded)).Count);
    }

    [Fact]
    public void An_array_writes_its_constructor_once()
    {
        Assert.Equal("e00a04a10130013101320133", Bytes.Hex(Bytes.Encode(AmqpArray.Of(["0", "1", "2", "3"]))));
        Assert.Equal("e004025201ff", Bytes.Hex(Bytes.Encode(AmqpArray.Of([1u, 255u]))));
        Assert.Equal("e00a02700000000100000100", Bytes.Hex(Bytes.Encode(AmqpArray.Of([1u, 256u]))));
    }

    [Theory]
    [InlineData("e0020342")]
    [InlineData("f0000000050000000342")]
    public void An_array_of_elements_without_bytes_decodes(string encoding)
    {
        var array = Assert.IsType<AmqpArray>(Bytes.Decode(Bytes.Of(encoding)));
        Assert.Equal([false, false, false], array.Items);
    }

    [Fact]
    public void The_descriptor_of_an_array_belongs_to_each_element()
    {
        var array = Assert.IsType<AmqpArray>(Bytes.Decode(Bytes.Of("e00a02 00a30175 a1 0161 0162")));
        Assert.Equal([new AmqpDescribed(new AmqpSymbol("u"), "a"), new AmqpDescribed(new AmqpSymbol("u"), "b")], array.Items);
        Assert.Equal(0xb1, array.ElementCode);
        Assert.True(Same.Values(array, Bytes.Decode(Bytes.Encode(array))));
    }

    [Fact]
    public void An_array_of_a_type_without_counterpart_is_refused() => Assert.Throws<ArgumentException>(() => AmqpArray.Of([TimeSpan.Zero]));

    [Fact]
    public void Thirty_two_levels_are_written_and_one_more_is_refused()
    {
        object? value = null;
        for (var level = 0; level < 32; level++)
        {
            value = new AmqpList([value]);
        }

        Assert.True(Same.Values(value, Bytes.Decode(Bytes.Encode(value))));
        Assert.Throws<InvalidOperationException>(() => Bytes.Encode(new AmqpList([value])));
    }

    [Fact]
    public void A_large_nested_value_survives_an_output_that_lends_little()
    {
        var value = new AmqpList(Enumerable.Range(0, 300).Select(i => (object?)new AmqpList([i, new string('x', i)])));
        var output = new StingyOutput();
        var writer = new AmqpWriter(output);
        writer.WriteString("before");
        writer.WriteValue(value);
        writer.WriteBinary(new byte[5000]);
        writer.Flush();

        var reader = new AmqpReader(output.Written.AsMemory());
        Assert.Equal("before", reader.ReadString());
        Assert.True(Same.Values(value, reader.ReadValue()));
        Assert.Equal(5000, reader.ReadBinary().Length);
        Assert.True(reader.End);
    }
}
