using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Clients.Tests;

public sealed class PlainPropertiesTests
{
    public static TheoryData<object> Values() =>
        [
            true,
            (byte)1,
            (sbyte)-1,
            (ushort)1,
            (short)-1,
            1u,
            -1,
            1ul,
            -1L,
            1.5f,
            1.5,
            Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
            "text",
            'x',
            new DateTime(2026, 1, 2, 3, 4, 5, 6, DateTimeKind.Utc),
            TimeSpan.FromTicks(1),
            new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            new Uri("http://example.org/a"),
            0m,
            -1.50m,
            decimal.MaxValue,
            0.0000000000000000000000000001m,
        ];

    [Theory]
    [MemberData(nameof(Values))]
    public void A_plain_value_comes_back_as_it_was(object value)
    {
        var encoded = PlainProperties.Encode([new("name", value)]);

        Assert.Equal(new KeyValuePair<string, object?>("name", value), Assert.Single(PlainProperties.Decode(encoded)));
    }

    [Fact]
    public void Nothing_comes_back_as_nothing() => Assert.Null(Assert.Single(PlainProperties.Decode(PlainProperties.Encode([new("name", null)]))).Value);

    [Fact]
    public void Bytes_come_back_as_an_array() =>
        Assert.Equal([1, 2], Assert.IsType<byte[]>(Assert.Single(PlainProperties.Decode(PlainProperties.Encode([new("name", new byte[] { 1, 2 })]))).Value));

    [Fact]
    public void The_types_of_the_wire_are_those_that_the_packages_write() =>
        Assert.Equal(
            Encoded(
                new AmqpMap
                {
                    { "time", new AmqpTimestamp(1) },
                    { "offset", new AmqpDescribed(new AmqpSymbol("com.microsoft:datetime-offset"), 0L) },
                    { "char", new AmqpChar('x') },
                    // IEEE 754-2008: biased exponent 6175, coefficient 15.
                    { "decimal", new AmqpDecimal(Convert.FromHexString("303E000000000000000000000000000F")) },
                }
            ),
            PlainProperties
                .Encode([new("time", DateTime.UnixEpoch.AddMilliseconds(1)), new("offset", DateTimeOffset.MinValue), new("char", 'x'), new("decimal", 1.5m)])
                .ToArray()
        );

    [Theory]
    [InlineData("0C3E000000000000000000000000000F", 15, 1)]
    [InlineData("0C40000000000000000000000000000F", 15, 0)]
    [InlineData("0C08000000000000000000000000000F", 15, 28)]
    public void A_decimal_is_read_in_the_form_that_the_packages_write(string encoded, int coefficient, int places) =>
        Assert.Equal(
            new decimal(coefficient, 0, 0, false, (byte)places),
            Assert.Single(PlainProperties.Decode(Encoded(new AmqpMap { { "name", new AmqpDecimal(Convert.FromHexString(encoded)) } }))).Value
        );

    [Fact]
    public void A_symbol_becomes_a_string() =>
        Assert.Equal("text", Assert.Single(PlainProperties.Decode(Encoded(new AmqpMap { { "name", new AmqpSymbol("text") } }))).Value);

    [Fact]
    public void A_value_without_a_plain_form_is_refused_and_not_lost()
    {
        object[] values =
        [
            new AmqpList { 1 },
            new AmqpMap { { "k", 1 } },
            AmqpArray.Of([1L]),
            new AmqpDecimal(new byte[4]),
            new AmqpDecimal(new byte[16]),
            new AmqpDescribed(new AmqpSymbol("own"), 1L),
            new AmqpChar(0x1f600),
        ];
        Assert.All(
            values,
            value =>
            {
                var refused = Assert.Throws<MessagingException>(() => PlainProperties.Decode(Encoded(new AmqpMap { { "name", value } })));
                Assert.Equal(FailureKind.Permanent, refused.Kind);
                Assert.Contains("'name'", refused.Message, StringComparison.Ordinal);
            }
        );
        Assert.Throws<MessagingException>(() => PlainProperties.Encode([new("name", new object())]));
        Assert.Throws<MessagingException>(() => PlainProperties.Decode(new byte[] { 0x40 }));
    }

    [Theory]
    [InlineData("com.microsoft:datetime-offset", long.MaxValue)]
    [InlineData("com.microsoft:datetime-offset", -1L)]
    [InlineData("com.microsoft:uri", "http://")]
    public void A_value_out_of_the_range_of_its_plain_type_is_refused_with_its_name(string type, object value)
    {
        var encoded = Encoded(new AmqpMap { { "name", new AmqpDescribed(new AmqpSymbol(type), value) } });

        var refused = Assert.Throws<MessagingException>(() => PlainProperties.Decode(encoded));

        Assert.Equal(
            (FailureKind.Permanent, $"application property 'name' is of type described '{type}', which the packages do not carry"),
            (refused.Kind, refused.Message)
        );
    }

    [Fact]
    public void Two_properties_of_one_name_are_refused_rather_than_lost()
    {
        var encoded = Encoded(new AmqpMap { { "name", 1 }, { new AmqpSymbol("name"), 2 } });

        var refused = Assert.Throws<MessagingException>(() => PlainProperties.Decode(encoded));

        Assert.Equal((FailureKind.Permanent, "two application properties are called 'name'"), (refused.Kind, refused.Message));
    }

    [Fact]
    public void No_properties_are_encoded_as_no_bytes()
    {
        Assert.True(PlainProperties.Encode([]).IsEmpty);
        Assert.Empty(PlainProperties.Decode(default));
    }

    private static byte[] Encoded(AmqpMap map)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteMap(map);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
