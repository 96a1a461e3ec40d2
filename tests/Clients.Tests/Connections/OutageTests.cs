using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

public sealed class OutageTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private readonly VirtualClock clock = new();
    private readonly Outage outage;

    public OutageTests() => outage = new Outage(new RetryOptions { UnreachableLimit = Limit }, clock);

    [Fact]
    public void Counts_from_the_beginning_of_the_first_of_several_failures()
    {
        Assert.Equal(Limit - TimeSpan.FromSeconds(2), FailAfter(TimeSpan.FromSeconds(2)));
        clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(Limit - TimeSpan.FromSeconds(10), FailAfter(TimeSpan.FromSeconds(3)));
    }

    [Fact]
    public void Says_when_the_limit_is_over()
    {
        TimeSpan left;
        while ((left = FailAfter(TimeSpan.FromSeconds(4))) > TimeSpan.Zero)
        {
            clock.Advance(TimeSpan.FromSeconds(5));
        }

        Assert.InRange(left, TimeSpan.FromSeconds(-9), TimeSpan.Zero);
    }

    [Fact]
    public void Begins_anew_after_an_answer()
    {
        FailAfter(TimeSpan.FromSeconds(30));
        outage.Over();

        Assert.Equal(Limit - TimeSpan.FromSeconds(1), FailAfter(TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public void Begins_anew_after_a_rest_in_which_nobody_tried()
    {
        FailAfter(TimeSpan.FromSeconds(1));
        clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(Limit, FailAfter(TimeSpan.Zero));
    }

    private TimeSpan FailAfter(TimeSpan time)
    {
        var started = clock.GetTimestamp();
        clock.Advance(time);
        return outage.Failed(started);
    }
}
