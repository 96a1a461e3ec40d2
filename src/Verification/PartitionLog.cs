using System.Globalization;

namespace EventHubThroughput.Verification;

/// <summary>What was appended to one partition, of all runs, and how far its readers are.</summary>
internal sealed class PartitionLog(string partition)
{
    private readonly List<long> sequences = [];
    private readonly List<string?> offsets = [];
    private readonly List<int> events = [];

    public string Partition { get; } = partition;

    /// <summary>Places of the judged run's events, in order of their sequence numbers.</summary>
    public List<int> RunEvents { get; } = [];

    /// <summary>The link that was served last: the incarnation.</summary>
    public string? Link { get; set; }

    public CheckpointTrail Checkpoints { get; } = new();

    public long Last => sequences.Count > 0 ? sequences[^1] : -1;

    /// <summary>Adds an event; false when its sequence number does not follow the last one.</summary>
    public bool TryAdd(long sequence, string offset, int place)
    {
        if (sequences.Count > 0 && sequence <= Last)
        {
            return false;
        }

        sequences.Add(sequence);
        // The usual offset is the sequence number itself: no text to keep.
        offsets.Add(IsNumber(offset, sequence) ? null : offset);
        events.Add(place);
        if (place >= 0)
        {
            RunEvents.Add(place);
        }

        return true;
    }

    /// <summary>Whether the event was appended, and its place, -1 when it is of another run.</summary>
    public bool TryFind(long sequence, out int place)
    {
        var index = IndexOf(sequence);
        place = index >= 0 ? events[index] : -1;
        return index >= 0;
    }

    /// <summary>Whether the event of this sequence number has this offset; true when there is no such event to compare with.</summary>
    public bool Agree(long sequence, string offset)
    {
        var index = IndexOf(sequence);
        return index < 0 || OffsetAt(index) == offset;
    }

    public long? SequenceOf(string offset)
    {
        // From the end: readers that store only offsets are near it.
        for (var index = sequences.Count - 1; index >= 0; index--)
        {
            if (offsets[index] is { } text ? text == offset : IsNumber(offset, sequences[index]))
            {
                return sequences[index];
            }
        }

        return null;
    }

    private int IndexOf(long sequence)
    {
        if (sequences.Count == 0)
        {
            return -1;
        }

        // Without gaps the place is known; with gaps it is looked for.
        var guess = sequence - sequences[0];
        return guess >= 0 && guess < sequences.Count && sequences[(int)guess] == sequence
            ? (int)guess
            : sequences.BinarySearch(sequence);
    }

    private string OffsetAt(int index) => offsets[index] ?? sequences[index].ToString(CultureInfo.InvariantCulture);

    private static bool IsNumber(string text, long value)
    {
        Span<char> digits = stackalloc char[20];
        value.TryFormat(digits, out var length, default, CultureInfo.InvariantCulture);
        return text.AsSpan().SequenceEqual(digits[..length]);
    }
}
