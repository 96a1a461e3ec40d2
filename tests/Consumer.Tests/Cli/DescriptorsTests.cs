using EventHubThroughput.Consumer.Running;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

public sealed class DescriptorsTests
{
    [Fact]
    public void Counts_a_connection_for_each_event_in_flight_up_to_those_that_all_share()
    {
        Assert.Equal(Descriptors.Needed(16, 1) + 48, Descriptors.Needed(16, 4));
        Assert.Equal(Descriptors.Needed(512, 1), Descriptors.Needed(4096, 1024));
    }

    [Fact]
    public void Refuses_what_the_limit_does_not_hold_and_names_both_numbers()
    {
        Assert.Equal("degree 512 needs about 406 file descriptors, the limit is 256", Descriptors.GetProblem(512, 1, 256));
        Assert.Null(Descriptors.GetProblem(512, 1, 406));
    }
}
