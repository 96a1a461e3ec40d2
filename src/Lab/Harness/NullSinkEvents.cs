using System.Globalization;
using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Harness;

/// <summary>Events of one partition as a receiver would hand them over, with keys at random: in turn, all of many keys would be different within any window.</summary>
internal static class NullSinkEvents
{
    /// <summary>Events of a batch.</summary>
    public const int BatchSize = 100;

    private const int Keys = 1_000;

    private static readonly string[] Drawn = DrawKeys();
    private static readonly byte[] Body = "body"u8.ToArray();

    /// <summary>A batch.</summary>
    /// <param name="first">The sequence number of its first event.</param>
    public static EventBatch Batch(long first) => new(NullSinkPartition.Id, [.. Enumerable.Range(0, BatchSize).Select(place => Event(first + place))]);

    private static string[] DrawKeys()
    {
        var random = new Random(7);
        var names = Enumerable.Range(0, Keys).Select(static key => string.Create(CultureInfo.InvariantCulture, $"key-{key}")).ToArray();
        return [.. Enumerable.Range(0, 64 * Keys).Select(_ => names[random.Next(Keys)])];
    }

    private static ReceivedEvent Event(long sequence) =>
        new()
        {
            PartitionId = NullSinkPartition.Id,
            SequenceNumber = sequence,
            Offset = sequence.ToString(CultureInfo.InvariantCulture),
            PartitionKey = Drawn[sequence % Drawn.Length],
            EnqueuedTime = DateTimeOffset.UnixEpoch.AddMilliseconds(sequence),
            Body = Body,
        };
}
