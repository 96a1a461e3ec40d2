using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Clients.Tests.EventHubs.Scale;

/// <summary>
/// Processors of one consumer group in virtual time, with the real rule of balancing. They share one store, which answers each request after the same time.
/// Everything that chance decides follows from the seed.
/// </summary>
internal sealed class SimulatedGroup
{
    private readonly VirtualClock clock = new();
    private readonly Dictionary<string, Ownership> ownerships = new(StringComparer.Ordinal);
    private readonly List<SimulatedProcessor> running = [];
    private readonly Random random;
    private long version;
    private long changes;
    private int started;

    public SimulatedGroup(GroupSettings settings, int seed)
    {
        Settings = settings;
        random = new Random(seed);
        Partitions = [.. Enumerable.Range(0, settings.Partitions).Select(static id => $"{id}")];
    }

    public GroupSettings Settings { get; }

    public IReadOnlyList<string> Partitions { get; }

    public TimeProvider Clock => clock;

    /// <summary>The requests so far.</summary>
    public GroupRequests Requests { get; } = new();

    public TimeSpan Now => clock.Elapsed;

    /// <summary>Starts processors, each at a random time within the spread from now.</summary>
    public void Start(int count, TimeSpan spread)
    {
        for (var index = 0; index < count; index++)
        {
            var processor = new SimulatedProcessor(this, $"p{started++}", new Random(random.Next()));
            After(
                spread * random.NextDouble(),
                () =>
                {
                    running.Add(processor);
                    processor.BeginCycle();
                }
            );
        }
    }

    /// <summary>Ends processors without a word. Their ownerships expire.</summary>
    public void Kill(int count) => Take(count);

    /// <summary>Ends processors that give up their partitions, one request after the other.</summary>
    public void Stop(int count)
    {
        foreach (var leaving in Take(count))
        {
            var owned = ownerships.Values.Where(one => one.OwnerId == leaving.Name).ToList();
            for (var index = 0; index < owned.Count; index++)
            {
                var one = owned[index];
                After(
                    Settings.Answer * (index + 1),
                    () =>
                    {
                        Requests.Releases++;
                        TryWrite(one.PartitionId, string.Empty, one.ETag);
                    }
                );
            }
        }
    }

    /// <summary>Runs until N processors are balanced, and returns the time that it took. Null when the limit came first.</summary>
    public TimeSpan? RunUntilBalanced(int processors, TimeSpan limit)
    {
        var began = Now;
        var seen = -1L;
        while (running.Count != processors || seen == changes || !IsBalanced())
        {
            seen = changes;
            if (Now - began >= limit || !clock.AdvanceToNextTimer())
            {
                return null;
            }
        }

        return Now - began;
    }

    public void Run(TimeSpan length) => clock.Advance(length);

    public void After(TimeSpan delay, Action action) => clock.CreateTimer(_ => action(), null, delay, Timeout.InfiniteTimeSpan);

    public bool IsRunning(SimulatedProcessor processor) => running.Contains(processor);

    public IReadOnlyList<Ownership> List() => [.. ownerships.Values];

    public bool IsOwner(string partitionId, string name) => ownerships.TryGetValue(partitionId, out var one) && one.OwnerId == name;

    public string? GetETag(string partitionId) => ownerships.GetValueOrDefault(partitionId)?.ETag;

    /// <summary>Writes an ownership on condition of its version. False when it has another.</summary>
    public bool TryWrite(string partitionId, string owner, string? etag)
    {
        if (GetETag(partitionId) != etag)
        {
            return false;
        }

        changes += IsOwner(partitionId, owner) ? 0 : 1;
        ownerships[partitionId] = new Ownership(partitionId, owner, clock.GetUtcNow(), $"{++version}");
        return true;
    }

    // Each partition belongs to a running processor, and no two shares differ by more than one.
    private bool IsBalanced()
    {
        var shares = running.ToDictionary(static one => one.Name, static _ => 0, StringComparer.Ordinal);
        foreach (var ownership in ownerships.Values)
        {
            if (shares.TryGetValue(ownership.OwnerId, out var share))
            {
                shares[ownership.OwnerId] = share + 1;
            }
        }

        return shares.Values.Sum() == Settings.Partitions && shares.Values.Max() - shares.Values.Min() <= 1;
    }

    private List<SimulatedProcessor> Take(int count)
    {
        var taken = running.Take(count).ToList();
        running.RemoveRange(0, count);
        return taken;
    }
}

/// <summary>The size of a group and the times of its processors.</summary>
/// <param name="Partitions">Partitions of the event hub.</param>
/// <param name="Processors">Processors that run when all have started.</param>
/// <param name="Balancing">How a processor claims.</param>
/// <param name="Interval">Between two cycles of a processor.</param>
/// <param name="Expiry">Of an ownership.</param>
/// <param name="Answer">The time of one request to the store.</param>
internal sealed record GroupSettings(int Partitions, int Processors, Balancing Balancing, TimeSpan Interval, TimeSpan Expiry, TimeSpan Answer);

/// <summary>Requests to the store, by their kind.</summary>
internal sealed record GroupRequests
{
    public long Lists { get; set; }

    public long Renewals { get; set; }

    public long Claims { get; set; }

    /// <summary>Of the claims: those of a partition with an active owner.</summary>
    public long Steals { get; set; }

    /// <summary>Of the claims: those that another processor was faster with.</summary>
    public long Refused { get; set; }

    public long Releases { get; set; }

    public long All => Lists + Writes;

    public long Writes => Renewals + Claims + Releases;

    public GroupRequests Copy() => this with { };

    public GroupRequests Since(GroupRequests earlier) =>
        new()
        {
            Lists = Lists - earlier.Lists,
            Renewals = Renewals - earlier.Renewals,
            Claims = Claims - earlier.Claims,
            Steals = Steals - earlier.Steals,
            Refused = Refused - earlier.Refused,
            Releases = Releases - earlier.Releases,
        };
}
