using EventHubThroughput.Verification.Reading;

namespace EventHubThroughput.Verification.Reading;

/// <summary>Counts one kind of finding and keeps an example in words: from the first partition, the lowest sequence number.</summary>
internal sealed class ViolationCounter(string field)
{
    private PartitionTrack? where;
    private long sequence;
    private string? what;

    public string Field { get; } = field;

    public long Count { get; private set; }

    public string? Example => where is null ? what : $"partition {where.Name} sequence {sequence}: {what}";

    public Charge Charge => new(Field, Count, Example ?? string.Empty);

    public void Clear() => (Count, where, what) = (0, null, null);

    public void Add(PartitionTrack partition, long number, string finding) => Add(1, partition, number, finding);

    public void Add(long count, PartitionTrack partition, long number, string finding)
    {
        if (what is null || (where == partition && number < sequence))
        {
            (where, sequence, what) = (partition, number, finding);
        }

        Count += count;
    }

    public void Add(string finding)
    {
        what ??= finding;
        Count++;
    }
}
