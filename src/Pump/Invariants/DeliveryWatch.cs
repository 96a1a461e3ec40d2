using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Faults;

namespace EventHubThroughput.Pump.Invariants;

/// <summary>The delivery progress of one partition.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Newest">The newest event delivered, or the one before the first expected event. Null where it is not known.</param>
/// <param name="IsIdle">Whether every event delivered is complete and checkpointed. Other partitions are watched by <see cref="LivenessWatch"/>.</param>
internal readonly record struct PartitionDelivery(string Partition, long? Newest, bool IsIdle);

/// <summary>
/// Ends processing when a partition is idle, the hub has newer events, and none of them is delivered within the limit. A client may stop like that without a
/// failure: the official packages drop an event that they cannot decode.
/// </summary>
/// <remarks>
/// The hub is asked after half the limit without a delivery. So an event that has just arrived there has the other half to be delivered. The time counts
/// across ownerships: a client that opens the partition again and again delivers nothing either.
/// </remarks>
/// <param name="read">Returns the partitions that are open now.</param>
/// <param name="ask">Reads the last sequence number of a partition from the hub. -1 for none.</param>
/// <param name="faults">Receives the fault.</param>
/// <param name="limit">How long events may stay undelivered.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class DeliveryWatch(
    Func<IEnumerable<PartitionDelivery>> read,
    Func<string, CancellationToken, Task<long>> ask,
    ProcessingFaults faults,
    TimeSpan limit,
    TimeProvider timeProvider
)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, Silence> known = new(StringComparer.Ordinal);

    /// <summary>Watches until the token is cancelled or a partition with undelivered events was found.</summary>
    public async Task RunAsync(CancellationToken ended)
    {
        using var timer = new PeriodicTimer(Interval, timeProvider);
        try
        {
            while (await timer.WaitForNextTickAsync(ended) && !await LookAsync(ended)) { }
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            // Processing has ended.
        }
    }

    // One look adds one interval, even if the last one was long ago: a process that was paused was not silent.
    private async Task<bool> LookAsync(CancellationToken ended)
    {
        foreach (var now in read())
        {
            var before = known.GetValueOrDefault(now.Partition);
            var silence = before with { Newest = now.Newest ?? before.Newest, Length = before.Length + Interval };
            if (!now.IsIdle || before.Newest != silence.Newest)
            {
                silence = new Silence(silence.Newest, TimeSpan.Zero, HubHasMore: false);
            }
            else if (silence.Length >= (silence.HubHasMore ? limit : limit / 2))
            {
                silence = await AskAsync(now.Partition, silence, ended);
            }

            known[now.Partition] = silence;
            if (faults.Raised.IsCompleted)
            {
                return true;
            }
        }

        return false;
    }

    private async Task<Silence> AskAsync(string partition, Silence silence, CancellationToken ended)
    {
        long last;
        try
        {
            last = await ask(partition, ended);
        }
        catch (MessagingException)
        {
            // The next look asks again. A service that stays unreachable ends processing anyway.
            return silence;
        }

        if (silence.Newest is not { } newest || last <= newest)
        {
            return new Silence(silence.Newest ?? last, TimeSpan.Zero, HubHasMore: false);
        }

        if (silence.Length >= limit)
        {
            var after = newest < 0 ? "from its beginning" : $"after sequence number {newest}";
            faults.Report(
                ProcessingFaultKind.Dependency,
                $"partition {partition}: no event was delivered for {silence.Length.TotalSeconds:0} s {after}, although the hub has events up to {last}: the clients may be unable to decode the next one"
            );
        }

        return silence with
        {
            HubHasMore = true,
        };
    }

    private readonly record struct Silence(long? Newest, TimeSpan Length, bool HubHasMore);
}
