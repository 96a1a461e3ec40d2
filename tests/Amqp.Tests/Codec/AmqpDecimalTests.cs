using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>The numbers that the bytes of decimals encode (IEEE 754-2008, binary coefficient). The last three are as .NET clients write them.</summary>
public sealed class AmqpDecimalTests
{
    [Theory]
    [InlineData("32800001", "1")]
    [InlineData("B2000019", "-2.5")]
    [InlineData("34000001", "1000")]
    [InlineData("31C0000000000001", "1")]
    [InlineData("B1A0000000000019", "-2.5")]
    [InlineData("30400000000000000000000000000000", "0")]
    [InlineData("303E0000000000000000000000000019", "2.5")]
    [InlineData("B03C00000000000000000000000000FA", "-2.50")]
    [InlineData("30400000FFFFFFFFFFFFFFFFFFFFFFFF", "79228162514264337593543950335")]
    [InlineData("30080000000000000000000000000001", "0.0000000000000000000000000001")]
    [InlineData("3006000000000000000000000000000A", "0.0000000000000000000000000001")]
    [InlineData("30780000000000000000000000000001", "10000000000000000000000000000")]
    [InlineData("00000000000000000000000000000000", "0")]
    [InlineData("0C400000000000000000000000000001", "1")]
    [InlineData("0C3C00000000000000000000000004E2", "12.50")]
    [InlineData("8C3E0000000000000000000000000019", "-2.5")]
    public void Are_read_exactly(string bytes, string expected) =>
        Assert.Equal(expected, FormattableString.Invariant($"{new AmqpDecimal(Convert.FromHexString(bytes)).ToDecimal()}"));

    [Theory]
    [InlineData("78000000")]
    [InlineData("7C000000")]
    [InlineData("78000000000000000000000000000000")]
    [InlineData("F8000000000000000000000000000000")]
    [InlineData("7C000000000000000000000000000000")]
    [InlineData("30400001000000000000000000000000")]
    [InlineData("30060000000000000000000000000001")]
    [InlineData("307A0000000000000000000000000001")]
    [InlineData("3042000080000000000000000000000F")]
    public void Are_none_when_they_do_not_fit(string bytes) => Assert.Null(new AmqpDecimal(Convert.FromHexString(bytes)).ToDecimal());
}
