using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Clients.Tests.EventHubs.Scale;

/// <summary>The cycles of one processor: it renews its ownerships, lists all, decides, and claims at most one. A taken partition is lost immediately.</summary>
internal sealed class SimulatedProcessor(SimulatedGroup group, string name, Random random)
{
    // As the processor: up to this number of renewals at the same time, and only of ownerships that are older than half an interval.
    private const int ConcurrentRenewals = 8;

    private readonly Balancer balancer = new(name, group.Settings.Expiry, random);
    private readonly UnclaimedPartitions unclaimed = new(group.Clock, group.Settings.Interval);
    private readonly Dictionary<string, TimeSpan> renewed = new(StringComparer.Ordinal);

    public string Name => name;

    public void BeginCycle()
    {
        var began = group.Now;
        var old = Owned().Where(partition => began - renewed[partition] >= group.Settings.Interval / 2).ToList();
        for (var first = 0; first < old.Count; first += ConcurrentRenewals)
        {
            var together = old[first..Math.Min(first + ConcurrentRenewals, old.Count)];
            Next((first / ConcurrentRenewals) + 1, () => Renew(together));
        }

        Next(((old.Count + ConcurrentRenewals - 1) / ConcurrentRenewals) + 1, () => Decide(began));
    }

    private void Renew(List<string> partitions)
    {
        foreach (var partition in partitions)
        {
            group.Requests.Renewals++;
            if (group.IsOwner(partition, name) && group.TryWrite(partition, name, group.GetETag(partition)))
            {
                renewed[partition] = group.Now;
            }
        }
    }

    private void Decide(TimeSpan began)
    {
        group.Requests.Lists++;
        var tracked = Owned().ToHashSet(StringComparer.Ordinal);
        var decision = balancer.Decide(group.Partitions, group.List(), tracked, unclaimed.Overdue(), group.Clock.GetUtcNow());
        unclaimed.Note(decision.Unclaimed);
        if (decision.Claim is { } claim)
        {
            Next(1, () => Claim(claim, decision.IsSteal, began));
        }
        else
        {
            Rest(began);
        }
    }

    private void Claim(BalanceClaim claim, bool isSteal, TimeSpan began)
    {
        group.Requests.Claims++;
        if (isSteal)
        {
            group.Requests.Steals++;
        }

        if (group.TryWrite(claim.PartitionId, name, claim.ETag))
        {
            renewed[claim.PartitionId] = group.Now;
        }
        else
        {
            group.Requests.Refused++;
        }

        if (group.Settings.Balancing == Balancing.Greedy)
        {
            BeginCycle();
        }
        else
        {
            Rest(began);
        }
    }

    private void Rest(TimeSpan began)
    {
        var least = group.Settings.Interval / 10;
        var rest = group.Settings.Interval - (group.Now - began);
        After(rest > least ? rest : least, BeginCycle);
    }

    private void Next(int answers, Action step) => After(group.Settings.Answer * answers, step);

    // Nothing happens after a stop or a kill.
    private void After(TimeSpan delay, Action step) =>
        group.After(
            delay,
            () =>
            {
                if (group.IsRunning(this))
                {
                    step();
                }
            }
        );

    private IEnumerable<string> Owned() => renewed.Keys.Where(partition => group.IsOwner(partition, name));
}
