using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

internal static class Bytes
{
    public static byte[] Of(string hex) => Convert.FromHexString(hex.Replace(" ", string.Empty));

    public static string Hex(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(bytes);

    public static byte[] Encode(object? value)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(output);
        writer.WriteValue(value);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    public static byte[] Encode(AmqpComposite composite)
    {
        var output = new ArrayBufferWriter<byte>();
        composite.Encode(output);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Decodes exactly one value.</summary>
    public static object? Decode(byte[] encoded)
    {
        var reader = new AmqpReader(encoded.AsMemory());
        var value = reader.ReadValue();
        Assert.True(reader.End);
        return value;
    }

    public static AmqpException DecodeFails(byte[] encoded)
    {
        var exception = Assert.Throws<AmqpException>(() => Decode(encoded));
        Assert.Equal(AmqpErrorScope.Decode, exception.Scope);
        Assert.Equal("amqp:decode-error", exception.Error.Condition.Value);
        return exception;
    }
}
