using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>The round trips are worth what their comparison is worth.</summary>
public sealed class SameTests
{
    public static TheoryData<object?, object?> Different =>
        new()
        {
            { null, false },
            { 1, 1L },
            { "a", new AmqpSymbol("a") },
            { (ReadOnlyMemory<byte>)new byte[] { 1 }, (ReadOnlyMemory<byte>)new byte[] { 2 } },
            { new AmqpList([1, 2]), new AmqpList([2, 1]) },
            {
                new AmqpMap { { "a", 1 } },
                new AmqpMap { { "a", 2 } }
            },
            { AmqpArray.Of<string>([]), AmqpArray.Of<long>([]) },
            { new AmqpDescribed(1ul, 1), new AmqpDescribed(2ul, 1) },
            {
                new Flow { Handle = 0 },
                new Flow()
            },
            { new Rejected(new AmqpError("a")), new Rejected(new AmqpError("a", "b")) },
            {
                new Attach
                {
                    Name = "a",
                    Source = new Source { Filter = [] },
                },
                new Attach { Name = "a", Source = new Source() }
            },
            {
                new AmqpMessage { Body = MessageBody.OfValue(null) },
                new AmqpMessage()
            },
            { MessageBody.OfData(new byte[1]), MessageBody.OfData(new byte[1], new byte[1]) },
        };

    [Theory]
    [MemberData(nameof(Different))]
    public void Different_values_are_not_the_same(object? left, object? right)
    {
        Assert.False(Same.Values(left, right));
        Assert.False(Same.Values(right, left));
        Assert.True(Same.Values(left, left) && Same.Values(right, right));
    }
}
