namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Counts how often a partition's link was taken by somebody who claimed it nowhere in our checkpoint store. Once or twice that is
/// an owner who has not noticed yet that he lost it. Again and again it is a processor with a store of its own.
/// </summary>
internal sealed class LinkContentionDetector(TimeProvider timeProvider)
{
    /// <summary>So many within <see cref="Window"/> are a fight.</summary>
    public const int Limit = 5;

    /// <summary>The time that is looked back on.</summary>
    public static readonly TimeSpan Window = TimeSpan.FromMinutes(5);

    private readonly Lock gate = new();

    // Under the gate: the raw timestamps of the newest ones by partition.
    private readonly Dictionary<string, Queue<long>> taken = new(StringComparer.Ordinal);

    /// <summary>Takes note of one. Gives the failure that ends the processor when it is one too many.</summary>
    public MessagingException? Note(string partitionId)
    {
        lock (gate)
        {
            if (!taken.TryGetValue(partitionId, out var times))
            {
                taken[partitionId] = times = new Queue<long>();
            }

            var now = timeProvider.GetTimestamp();
            times.Enqueue(now);
            while (timeProvider.GetElapsedTime(times.Peek(), now) > Window)
            {
                times.Dequeue();
            }

            return times.Count < Limit
                ? null
                : new MessagingException(
                    FailureKind.Permanent,
                    $"partition {partitionId} was taken {times.Count} times in {Window.TotalMinutes:0} min by a reader that claimed it nowhere in this checkpoint store: another processor with a different checkpoint store"
                );
        }
    }
}
