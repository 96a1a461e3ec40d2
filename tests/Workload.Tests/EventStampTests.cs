using System.Text;
using Xunit;

namespace EventHubThroughput.Workload.Tests;

public sealed class EventStampTests
{
    private static readonly DateTimeOffset Intended = DateTimeOffset.FromUnixTimeMilliseconds(1_767_225_600_123);

    [Fact]
    public void A_stamp_written_is_read_back()
    {
        var stamp = EventStamp.Of("run-1", 812, 7, Encoding.UTF8.GetBytes("abc"), Intended);

        Assert.Equal(stamp, EventStamp.Read(stamp.ToProperties()));
        Assert.Equal(stamp, EventStamp.Read(EventStamp.Properties("run-1", 812, 7, stamp.Sha256, 3, 1_767_225_600_123)));
    }

    [Fact]
    public void The_properties_have_the_documented_names_and_types()
    {
        var properties = EventStamp.Of("run-1", 812, 7, Encoding.UTF8.GetBytes("abc"), Intended).ToProperties();

        Assert.Equal("run-1", properties["eht-run"]);
        Assert.Equal(812L, properties["eht-index"]);
        Assert.Equal(7L, properties["eht-key-index"]);
        Assert.Equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", properties["eht-sha256"]);
        Assert.Equal(3L, properties["eht-length"]);
        Assert.Equal(1_767_225_600_123L, properties["eht-intended"]);
        Assert.Equal(6, properties.Count);
    }

    [Theory]
    [InlineData(EventStamp.RunProperty)]
    [InlineData(EventStamp.IndexProperty)]
    [InlineData(EventStamp.Sha256Property)]
    [InlineData(EventStamp.IntendedProperty)]
    public void A_stamp_with_a_missing_or_foreign_value_is_none(string name)
    {
        var properties = new Dictionary<string, object?>(EventStamp.Of("r", 1, 1, [], Intended).ToProperties(), StringComparer.Ordinal);

        properties[name] = 1.5;
        Assert.Null(EventStamp.Read(properties));
        properties.Remove(name);
        Assert.Null(EventStamp.Read(properties));
    }
}
