namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Counts how often a partition's link was taken without a claim in our checkpoint store. Once or twice, the new reader is an owner that has not noticed its
/// loss yet. Again and again, it is a processor with another store.
/// </summary>
internal sealed class LinkContentionDetector(TimeProvider timeProvider)
{
    /// <summary>This number within <see cref="Window"/> is a fight.</summary>
    public const int Limit = 5;

    /// <summary>The time for which losses count.</summary>
    public static readonly TimeSpan Window = TimeSpan.FromMinutes(5);

    private readonly Lock gate = new();

    // Under the gate: the raw timestamps of the newest losses by partition.
    private readonly Dictionary<string, Queue<long>> taken = new(StringComparer.Ordinal);

    /// <summary>Counts a loss. Returns the failure that ends the processor when the limit is reached.</summary>
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
