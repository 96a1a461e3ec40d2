using EventHubThroughput.Journal;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// Follows the journal of a shared backlog: which owner has which partition, and how long each partition had no owner when it changed hands. All times are the
/// emulator's. One caller at a time.
/// </summary>
internal sealed class OwnershipWatch
{
    private readonly Dictionary<string, Partition> partitions = new(StringComparer.Ordinal);
    private readonly HashSet<string> dead = new(StringComparer.Ordinal);

    /// <summary>Checkpoints stored so far.</summary>
    public long Checkpoints { get; private set; }

    /// <summary>The changes of owner so far. The newest ones may have no first event yet.</summary>
    public IEnumerable<Handover> Handovers => partitions.Values.SelectMany(partition => partition.Handovers);

    /// <summary>How many partitions an owner has.</summary>
    public int OwnedBy(string owner) => partitions.Values.Count(partition => partition.Owner == owner);

    /// <summary>From now on the partitions of this owner count as left by a dead owner.</summary>
    public void Died(string owner) => dead.Add(owner);

    public void Note(JournalRecord record)
    {
        switch (record)
        {
            case OwnershipWritten written:
                Of(written.Partition).Write(written.Owner, written.Microseconds, dead);
                break;
            case EventDelivered { OwnerLevel: not null } delivered:
                Of(delivered.Partition).Deliver(delivered.Link, delivered.Microseconds);
                break;
            case CheckpointWritten { Moment: WriteMoment.Stored }:
                Checkpoints++;
                break;
            default:
                break;
        }
    }

    private static TimeSpan Between(long from, long to) => TimeSpan.FromMicroseconds(to - from);

    private Partition Of(string id) => partitions.TryGetValue(id, out var known) ? known : partitions[id] = new Partition();

    private sealed class Partition
    {
        // Every owner's link has a separate name, so one not seen before belongs to the newest owner.
        private readonly HashSet<string> links = new(StringComparer.Ordinal);

        // The newest owner, though it may have released the partition since.
        private string? newest;

        // A claim, a renewal or a release: each is the last sign of its owner until the next one.
        private long lastSign;
        private long lostAt;
        private bool awaitsEvent;

        public string Owner { get; private set; } = string.Empty;

        public List<Handover> Handovers { get; } = [];

        public void Write(string owner, long at, HashSet<string> dead)
        {
            if (owner.Length > 0 && newest is not null && owner != newest)
            {
                var departure =
                    Owner.Length == 0 ? Departure.Left
                    : dead.Contains(newest) ? Departure.Died
                    : Departure.Robbed;
                lostAt = departure == Departure.Robbed ? at : lastSign;
                awaitsEvent = true;
                Handovers.Add(new Handover(departure, Between(lostAt, at), null));
            }

            newest = owner.Length > 0 ? owner : newest;
            Owner = owner;
            lastSign = at;
        }

        public void Deliver(string link, long at)
        {
            if (links.Add(link) && awaitsEvent)
            {
                awaitsEvent = false;
                Handovers[^1] = Handovers[^1] with { FirstEvent = Between(lostAt, at) };
            }
        }
    }
}
