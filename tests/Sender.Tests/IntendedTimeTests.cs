using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

/// <summary>The scheduled send time of an event, read out of encoded properties without decoding all of them.</summary>
public sealed class IntendedTimeTests
{
    [Theory]
    [InlineData(0L)]
    [InlineData(127L)]
    [InlineData(128L)]
    [InlineData(1_767_225_600_123L)]
    public void The_scheduled_time_is_read_from_any_encoding_and_any_place(long milliseconds)
    {
        var stamp = EventStamp.Of("run", 1, 2, "body"u8, DateTimeOffset.FromUnixTimeMilliseconds(milliseconds));
        foreach (var properties in new[] { stamp.ToProperties(), stamp.ToProperties().Reverse(), stamp.ToProperties().Append(new("x", "eht-intended")) })
        {
            Assert.Equal(milliseconds, EventStamp.GetIntended(PlainProperties.Encode(properties).Span)?.ToUnixTimeMilliseconds());
        }
    }

    [Fact]
    public void Is_unknown_where_the_properties_do_not_say()
    {
        Assert.Null(EventStamp.GetIntended([]));
        Assert.Null(EventStamp.GetIntended(PlainProperties.Encode([new("eht-intended", "soon")]).Span));
        Assert.Null(EventStamp.GetIntended(PlainProperties.Encode([new("eht-intended", -1L)]).Span));
        Assert.Null(EventStamp.GetIntended(PlainProperties.Encode([new("eht-intended", long.MaxValue)]).Span));
        Assert.Null(EventStamp.GetIntended(Encoding.ASCII.GetBytes("eht-intended")));
    }

    [Fact]
    public void Any_bytes_give_a_time_or_none() =>
        Prop.ForAll<byte[], byte[]>(
                (before, after) =>
                {
                    _ = EventStamp.GetIntended([.. before, 0xa1, 12, .. "eht-intended"u8, .. after]);
                    _ = EventStamp.GetIntended([.. before, .. "eht-intended"u8, .. after]);
                    return true;
                }
            )
            .Check(PropertyCases.Usual);
}
