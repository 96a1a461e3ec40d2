using System.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// Reads the consumer's record of acknowledgements. Its lines have no ticks: they are ordered among themselves only, so a fact has the number of its line and
/// no place in the journal.
/// </summary>
/// <param name="context">The receiver of the facts. The journal has been read.</param>
/// <param name="handlers">The names of the handlers, in the order of their places.</param>
internal sealed class AcknowledgementReading(JournalContext context, IReadOnlyList<string> handlers)
{
    private readonly Dictionary<string, PartitionTrack?> partitions = new(StringComparer.Ordinal);

    public void Read(IEnumerable<Acknowledgement> lines)
    {
        foreach (var line in lines)
        {
            Read(line);
        }
    }

    private void Read(Acknowledgement line)
    {
        if (Find(line.Partition) is not { } partition || line.Sequence > partition.LastSequence)
        {
            context.VerificationCounts.Unexpected.Add($"partition {line.Partition}, sequence number {line.Sequence}: acknowledged, but never appended");
            return;
        }

        var place = line.Handler is { } handler ? IndexOf(handler) : 0;
        if (place >= 0)
        {
            context.Facts.Add(
                new Fact
                {
                    Kind = line.Handler is null ? FactKind.CheckpointBegun : FactKind.HandlerAcknowledged,
                    Partition = partition.Number,
                    Sequence = line.Sequence,
                    Tick = long.MaxValue,
                    Number = line.Line,
                    Length = place,
                }
            );
        }
    }

    private PartitionTrack? Find(string name)
    {
        if (!partitions.TryGetValue(name, out var known))
        {
            partitions.Add(name, known = context.Partitions.Find(Encoding.UTF8.GetBytes(name)));
        }

        return known;
    }

    private int IndexOf(string handler)
    {
        for (var place = 0; place < handlers.Count; place++)
        {
            if (handlers[place] == handler)
            {
                return place;
            }
        }

        return -1;
    }
}
