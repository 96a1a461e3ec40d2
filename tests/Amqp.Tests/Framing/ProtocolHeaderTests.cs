using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class ProtocolHeaderTests
{
    [Fact]
    public void Headers_are_written_and_read()
    {
        var output = new ArrayBufferWriter<byte>();
        ProtocolHeader.Sasl.Write(output);
        ProtocolHeader.Amqp.Write(output);
        Assert.Equal("414d515003010000" + "414d515000010000", Bytes.Hex(output.WrittenSpan));

        var buffer = Segments.Of(output.WrittenMemory, 3);
        Assert.True(ProtocolHeader.TryRead(ref buffer, out var first));
        Assert.True(ProtocolHeader.TryRead(ref buffer, out var second));
        Assert.Equal((ProtocolHeader.Sasl, ProtocolHeader.Amqp), (first, second));
        Assert.True(buffer.IsEmpty);
    }

    [Fact]
    public void A_header_of_another_version_is_reported_as_it_is()
    {
        var buffer = new ReadOnlySequence<byte>(Bytes.Of("414d515000000901"));
        Assert.True(ProtocolHeader.TryRead(ref buffer, out var header));
        Assert.Equal(new ProtocolHeader(0, 0, 9, 1), header);
    }

    [Theory]
    [InlineData("")]
    [InlineData("41")]
    [InlineData("414d5150030100")]
    public void A_header_that_has_not_arrived_whole_is_waited_for(string present)
    {
        var buffer = new ReadOnlySequence<byte>(Bytes.Of(present));
        Assert.False(ProtocolHeader.TryRead(ref buffer, out _));
        Assert.Equal(present.Length / 2, buffer.Length);
    }

    [Theory]
    [InlineData("47")]
    [InlineData("474554202f20485454502f312e31")]
    [InlineData("414d5158")]
    public void Another_protocol_is_a_framing_error_from_its_first_byte(string sent)
    {
        var buffer = new ReadOnlySequence<byte>(Bytes.Of(sent));
        var exception = Assert.Throws<AmqpException>(() => ProtocolHeader.TryRead(ref buffer, out _));
        Assert.Equal(ErrorCondition.FramingError, exception.Error.Condition.Value);
    }
}
