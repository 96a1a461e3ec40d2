using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class AmqpMapTests
{
    [Theory]
    [InlineData(3)]
    [InlineData(100)]
    public void Small_and_large_maps_look_up_replace_remove_and_keep_their_order(int count)
    {
        var map = new AmqpMap();
        for (var i = 0; i < count; i++)
        {
            map.Add($"key-{i}", i);
        }

        map["key-1"] = "replaced";
        Assert.Equal(count, map.Count);
        Assert.Equal("replaced", map["key-1"]);
        Assert.Equal(count - 1, map[$"key-{count - 1}"] is int last ? last : map[$"key-{count - 1}"]);
        Assert.Null(map["absent"]);
        Assert.False(map.ContainsKey(new AmqpSymbol("key-1")));
        Assert.Throws<ArgumentException>(() => map.Add("key-0", null));
        Assert.True(map.Remove("key-0"));
        Assert.False(map.Remove("key-0"));
        Assert.Equal(Enumerable.Range(1, count - 1).Select(i => $"key-{i}"), map.Select(entry => entry.Key));
        Assert.True(map.ContainsKey("key-2"));
    }

    [Fact]
    public void A_null_value_is_present()
    {
        var map = new AmqpMap { { "key", null } };
        Assert.True(map.TryGetValue("key", out var value));
        Assert.Null(value);
    }

    [Fact]
    public void Find_takes_strings_and_symbols_for_the_same()
    {
        var map = new AmqpMap
        {
            { new AmqpSymbol("symbol"), "text" },
            { "string", new AmqpSymbol("sign") },
            { "number", (ushort)7 },
        };
        Assert.Equal("text", map.FindString("symbol"));
        Assert.Equal("sign", map.FindString("string"));
        Assert.Null(map.FindString("number"));
        Assert.Null(map.Find("absent"));
    }

    public static TheoryData<object?, long?> Integers =>
        new()
        {
            { (sbyte)-1, -1 },
            { (byte)1, 1 },
            { (short)-2, -2 },
            { (ushort)2, 2 },
            { -3, -3 },
            { 3u, 3 },
            { -4L, -4 },
            { 4ul, 4 },
            { ulong.MaxValue, null },
            { "5", null },
            { 1.0, null },
            { null, null },
        };

    [Theory]
    [MemberData(nameof(Integers))]
    public void FindInteger_reads_every_width(object? value, long? expected) => Assert.Equal(expected, new AmqpMap { { "key", value } }.FindInteger("key"));

    [Theory]
    [InlineData(2)]
    [InlineData(40)]
    public void Binary_and_described_keys_are_compared_by_content(int count)
    {
        var map = new AmqpMap();
        for (var i = 0; i < count; i++)
        {
            map.Add((ReadOnlyMemory<byte>)new[] { (byte)i }, i);
            map.Add(new AmqpDescribed(1ul, (ReadOnlyMemory<byte>)new[] { (byte)i }), -i);
        }

        Assert.Equal(1, map[(ReadOnlyMemory<byte>)new byte[] { 1 }]);
        Assert.Equal(-1, map[new AmqpDescribed(1ul, (ReadOnlyMemory<byte>)new byte[] { 1 })]);
    }

    [Fact]
    public void Wide_keys_of_every_type_are_found_in_a_large_map()
    {
        var map = new AmqpMap();
        for (var i = 0; i < 20; i++)
        {
            map.Add((long)i, "long");
            map.Add((ulong)i, "ulong");
            map.Add((double)i, "double");
            map.Add(new AmqpTimestamp(i), "timestamp");
            map.Add(new Guid(i, 0, 0, new byte[8]), "uuid");
        }

        Assert.Equal("long", map[5L]);
        Assert.Equal("ulong", map[5ul]);
        Assert.Equal("double", map[5.0]);
        Assert.Equal("timestamp", map[new AmqpTimestamp(5)]);
        Assert.Equal("uuid", map[new Guid(5, 0, 0, new byte[8])]);
        Assert.Null(map[5]);
    }
}
