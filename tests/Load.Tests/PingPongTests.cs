using EventHubThroughput.Load.PingPong;
using Xunit;

namespace EventHubThroughput.Load.Tests;

/// <summary>What both ends of the AMQP library allocate for messages in memory. No other test runs meanwhile.</summary>
[Collection<AloneCollection>]
public sealed class PingPongTests
{
    // A delivery of 104 B and its frame of 48 B, in each direction.
    private const int BytesOfTwoMessages = 304;
    private const int Count = 5_000;
    private const int Tries = 10;

    [Fact]
    public async Task A_round_trip_allocates_its_two_deliveries_and_their_bytes()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var run = await PingPongRun.StartAsync(cancellationToken);
        await run.RunAsync(Count, cancellationToken);

        // Background work of the runtime may allocate during a round. What a message always allocates is in every round.
        var least = long.MaxValue;
        for (var round = 0; round < Tries; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await run.RunAsync(Count, cancellationToken);
            least = Math.Min(least, (GC.GetTotalAllocatedBytes(precise: true) - before) / Count);
        }

        Assert.InRange(least, 1, BytesOfTwoMessages + 16);
    }
}
