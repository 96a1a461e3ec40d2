using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

public sealed class AsyncSignalTests
{
    private const int Rounds = 20_000;

    // A waiter sees everything that was done before the signal was set, and there is never a second waiter.
    [Fact]
    public async Task The_signal_loses_no_set_and_wakes_its_waiter_once()
    {
        var signal = new AsyncSignal();
        var (done, seen, inside) = (0, 0, 0);
        var waiting = WaitAsync();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(setter => Task.Run(() => SetAll(setter), TestContext.Current.CancellationToken)));
        await waiting.WaitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(4 * Rounds, seen);

        void SetAll(int setter)
        {
            for (var round = 0; round < Rounds; round++)
            {
                Interlocked.Increment(ref done);
                if ((round + setter) % 3 == 0)
                {
                    signal.SetHere();
                }
                else
                {
                    signal.Set();
                }
            }
        }

        async Task WaitAsync()
        {
            while (seen < 4 * Rounds)
            {
                await signal.WaitAsync();
                Assert.Equal(1, Interlocked.Increment(ref inside));
                seen = Volatile.Read(ref done);
                Interlocked.Decrement(ref inside);
            }
        }
    }
}
