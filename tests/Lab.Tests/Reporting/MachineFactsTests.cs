using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class MachineFactsTests
{
    [Theory]
    [InlineData("0", 1)]
    [InlineData("0-3,8", 5)]
    [InlineData("\t0-1\n", 2)]
    [InlineData("", null)]
    [InlineData("all", null)]
    public void A_list_of_processors_is_counted(string list, int? expected) => Assert.Equal(expected, MachineFacts.GetCount(list));

    [Fact]
    public void The_facts_of_the_machine_are_consistent()
    {
        var machine = ResultDocument.Machine();

        Assert.True(machine.CoresAllowed is null or > 0);
        Assert.True(machine.CoresPhysical is null or > 0);
        Assert.True(machine.ThreadPoolMin > 0);
        Assert.Equal(machine.CoresAllowed is null, machine.LimitMethod is null);
    }

    [Fact]
    public void The_thread_pool_is_that_of_the_section_alone()
    {
        var clock = new VirtualClock();
        var readings = new ThreadPoolReadings(clock);
        foreach (var (threads, queue) in new[] { (90, 900L), (4, 0L), (6, 30L), (70, 700L) })
        {
            readings.Add(threads, queue);
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        var second = clock.TimestampFrequency;
        var now = clock.GetTimestamp();
        Assert.Equal(new ThreadPoolFigures(5, 6, 30, QueueP99: null), readings.Between(now - (3 * second), now - (2 * second)));
        Assert.Null(readings.Between(now, now + second));
    }

    [Fact]
    public void The_queue_has_a_percentile_from_a_hundred_readings_on()
    {
        var readings = new ThreadPoolReadings(new VirtualClock());
        for (var queue = 1; queue < 100; queue++)
        {
            readings.Add(threads: 4, queue);
        }

        Assert.Null(readings.Between(0, long.MaxValue)!.QueueP99);
        readings.Add(threads: 4, queue: 1000);
        Assert.Equal(99, readings.Between(0, long.MaxValue)!.QueueP99);
    }
}
