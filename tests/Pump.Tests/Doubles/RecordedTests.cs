using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Doubles;

public sealed class RecordedTests
{
    [Fact]
    public async Task Reader_sees_the_moment_at_which_it_began_while_a_sink_records()
    {
        var sink = new ScriptedSink();
        await sink.WriteAsync(Some.Event(0), TestContext.Current.CancellationToken);

        foreach (var sequence in sink.Stored)
        {
            await sink.WriteAsync(Some.Event(sequence + 1), TestContext.Current.CancellationToken);
        }

        Assert.Equal([0L, 1], sink.Stored);
        Assert.Equal(2, sink.Begun.Count);
        Assert.Equal(1, sink.Begun[^1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => sink.Begun[2]);
    }
}
