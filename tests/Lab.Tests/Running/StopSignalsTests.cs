using System.Runtime.InteropServices;
using EventHubThroughput.Lab.Running;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class StopSignalsTests
{
    private readonly List<string> said = [];
    private readonly List<int> exits = [];

    [Fact]
    public void Asks_the_run_to_drain_at_the_first_signal()
    {
        using var signals = new StopSignals(said.Add, exits.Add);

        signals.Receive(PosixSignal.SIGTERM);

        Assert.True(signals.First.IsCancellationRequested);
        Assert.Equal(["SIGTERM: draining. A second signal ends the program immediately"], said);
        Assert.Empty(exits);
    }

    [Theory]
    [InlineData(PosixSignal.SIGINT, 130)]
    [InlineData(PosixSignal.SIGTERM, 143)]
    [InlineData(PosixSignal.SIGHUP, 129)]
    public void A_second_signal_ends_immediately_and_reports_the_possible_replay(PosixSignal second, int code)
    {
        using var signals = new StopSignals(said.Add, exits.Add) { DescribeReplay = () => "may be delivered again: 7 of partition 0" };

        signals.Receive(PosixSignal.SIGINT);
        signals.Receive(second);

        Assert.Equal([code], exits);
        Assert.Equal($"{second} again: ended immediately: may be delivered again: 7 of partition 0", said[^1]);
    }
}
