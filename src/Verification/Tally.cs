namespace EventHubThroughput.Verification;

/// <summary>Counts one kind of finding and keeps the first in words.</summary>
internal sealed class Tally(string field)
{
    public string Field { get; } = field;

    public long Count { get; private set; }

    public string? Example { get; private set; }

    public Charge Charge => new(Field, Count, Example ?? string.Empty);

    public void Add(string partition, long sequence, string what) => Add(1, partition, sequence, what);

    public void Add(long count, string partition, long sequence, string what)
    {
        Example ??= $"partition {partition} sequence {sequence}: {what}";
        Count += count;
    }

    public void Add(string what)
    {
        Example ??= what;
        Count++;
    }
}
