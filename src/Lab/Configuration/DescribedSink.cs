using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// A sink that takes as long as a described write, and does nothing else. It waits in the process of the consumer, so no wire and no service is measured.
/// </summary>
internal sealed class DescribedSink : ISink<ReceivedEvent>, IDisposable
{
    private readonly DescribedWrite write;
    private readonly TimeProvider clock;
    private readonly SemaphoreSlim? places;
    private readonly Lock gate = new();

    private readonly long startedAt;

    // When the next write may begin at the rate of the quota, since the start.
    private TimeSpan free;

    public DescribedSink(DescribedWrite write, TimeProvider clock)
    {
        (this.write, this.clock, startedAt) = (write, clock, clock.GetTimestamp());
        places = write.Law.Concurrency > 0 ? new SemaphoreSlim(write.Law.Concurrency) : null;
    }

    public string Name => write.Name;

    /// <summary>The sink of a write.</summary>
    public static SinkDescriptor Of(DescribedWrite write) => new(write.Name, $"Takes as long as {write}.", _ => new DescribedSink(write, TimeProvider.System));

    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        if (write.Law.OperationsPerSecond > 0)
        {
            await Task.Delay(TakeTurn(), clock, cancellationToken);
        }

        if (places is null)
        {
            await WaitAsync(cancellationToken);
            return;
        }

        await places.WaitAsync(cancellationToken);
        try
        {
            await WaitAsync(cancellationToken);
        }
        finally
        {
            places.Release();
        }
    }

    public void Dispose() => places?.Dispose();

    // Timers have whole milliseconds. The fraction decides by chance, so that the mean is kept.
    private Task WaitAsync(CancellationToken cancellationToken) =>
        Task.Delay(TimeSpan.FromMilliseconds(Math.Floor(write.Law.Draw(Random.Shared) + Random.Shared.NextDouble())), clock, cancellationToken);

    // The wait until the turn of a write, as in the model.
    private TimeSpan TakeTurn()
    {
        lock (gate)
        {
            var now = clock.GetElapsedTime(startedAt);
            free = (free > now ? free : now) + TimeSpan.FromSeconds(1 / write.Law.OperationsPerSecond);
            return free - now;
        }
    }
}
