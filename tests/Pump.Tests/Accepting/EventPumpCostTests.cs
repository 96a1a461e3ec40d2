using System.Globalization;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Accepting;

/// <summary>What an event costs in a pump beside its handler. All threads are counted, so no other test may run at the same time.</summary>
[Collection<AloneCollection>]
public sealed class EventPumpCostTests
{
    private const int Events = 50_000;
    private const int Rounds = 3;
    private const double MostBytes = 200;

    private static readonly string[] Keys = [.. Enumerable.Range(0, 1000).Select(static key => string.Create(CultureInfo.InvariantCulture, $"key-{key}"))];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(nameof(EventPump.InOrder), false)]
    [InlineData(nameof(EventPump.InOrder), true)]
    [InlineData(nameof(EventPump.ByKey), false)]
    [InlineData(nameof(EventPump.ByKey), true)]
    [InlineData(nameof(EventPump.Unordered), false)]
    [InlineData(nameof(EventPump.Unordered), true)]
    public async Task An_event_costs_at_most_200_bytes_beside_its_handler(string order, bool yields)
    {
        var item = new object();
        Func<object, CancellationToken, ValueTask> handler = yields ? static async (_, _) => await Task.Yield() : static (_, _) => default;
        await using var pump = Create(order, handler);
        List<double> rounds = [];
        for (var round = 0; round <= Rounds; round++)
        {
            // What the handler allocates by itself does not count.
            var bare = await BytesOfAsync(() => handler(item, Cancellation));
            rounds.Add(await BytesOfAsync(() => new ValueTask(pump.AcceptAsync("0", item, Stored, Cancellation))) - bare);
        }

        // The first one compiles, and rings grow. A machine that is busy makes pumps and handlers wait for each other more often.
        var least = rounds.Skip(1).Min();
        Assert.True(least <= MostBytes, $"{least:0} bytes an event");
    }

    private static EventPump<object> Create(string order, Func<object, CancellationToken, ValueTask> handler)
    {
        var next = 0L;
        return order switch
        {
            nameof(EventPump.InOrder) => EventPump.InOrder(handler),
            nameof(EventPump.ByKey) => EventPump.ByKey(_ => Keys[next++ * 7919 % Keys.Length], 64, handler),
            _ => EventPump.Unordered(64, handler),
        };
    }

    private static async Task<double> BytesOfAsync(Func<ValueTask> once)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var done = 0; done < Events; done++)
        {
            await once();
        }

        return (double)(GC.GetTotalAllocatedBytes(precise: true) - before) / Events;
    }

    private static Task Stored(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>Tests that run while no other one does.</summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class AloneCollection;
