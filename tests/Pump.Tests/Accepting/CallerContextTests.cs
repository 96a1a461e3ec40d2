using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Accepting;

/// <summary>A pump under the synchronization context of a user interface.</summary>
public sealed class CallerContextTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = 60_000)]
    public async Task Nothing_that_a_pump_awaits_comes_back_to_the_context_of_its_caller()
    {
        var context = new CountedContext();
        var seen = 0;
        var pump = context.Call(() =>
            EventPump.Unordered<string>(
                2,
                async (_, _) =>
                {
                    seen += SynchronizationContext.Current is null ? 0 : 1;
                    await Task.Yield();
                },
                new EventPumpOptions { Window = 2, CheckpointEvents = 1 }
            )
        );
        for (var number = 0; number < 50; number++)
        {
            await context.Call(() => pump.AcceptAsync("0", "event", static async _ => await Task.Yield(), Cancellation));
        }

        await context.Call(() => pump.CloseAsync("0"));
        await context.Call(() => pump.DisposeAsync().AsTask());

        Assert.Equal((0, 0), (seen, context.Posts));
    }
}
