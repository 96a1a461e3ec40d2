using System.Text;
using EventHubThroughput.Events;

namespace EventHubThroughput.Testing;

/// <summary>Values that do not matter to a test.</summary>
public static class Some
{
    public static ReceivedEvent Event(long sequence, string partition = "0", string? key = null) =>
        new()
        {
            PartitionId = partition,
            SequenceNumber = sequence,
            Offset = $"@{sequence * 100}",
            EnqueuedTime = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddMilliseconds(sequence),
            PartitionKey = key,
            Body = Encoding.UTF8.GetBytes($"body {sequence}"),
            ContentType = "text/plain",
        };

    /// <summary>A batch of consecutive events.</summary>
    public static EventBatch Batch(int count, string partition = "0", long first = 0) =>
        new(partition, [.. Enumerable.Range(0, count).Select(i => Event(first + i, partition))]);
}
