using System.Globalization;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs.Scale;

/// <summary>
/// Balancing of large groups in virtual time. The figures follow from the seed, and are the table of <c>docs/results/balancing.md</c>. After a planned change
/// <c>EHT_APPROVE=1</c> writes it again.
/// </summary>
public sealed class BalancingScaleTests
{
    private const int Seed = 1;

    // A run after the balance, in intervals. Nothing may be claimed in it.
    private const int RestedIntervals = 20;

    private static readonly TimeSpan Answer = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Limit = TimeSpan.FromHours(12);

    private static readonly (int Partitions, int Processors)[] Sizes = [(4, 2), (32, 4), (128, 16), (1024, 16), (1024, 64)];

    private static readonly (string Name, Func<GroupSettings, Changed> Run)[] Changes =
    [
        ("all start within a second", static settings => Change(settings, 0, static (group, all) => group.Start(all, TimeSpan.FromSeconds(1)))),
        ("one more starts", static settings => Change(settings, settings.Processors - 1, static (group, _) => group.Start(1, TimeSpan.Zero))),
        (
            "twice as many",
            static settings => Change(settings, settings.Processors / 2, static (group, all) => group.Start(all - (all / 2), TimeSpan.FromSeconds(1)))
        ),
        ("one stops", static settings => Change(settings, settings.Processors + 1, static (group, _) => group.Stop(1))),
        ("one is killed", static settings => Change(settings, settings.Processors + 1, static (group, _) => group.Kill(1))),
    ];

    [Fact]
    public void The_table_of_the_page_is_the_simulated_one()
    {
        List<string> rows =
        [
            "group,what happens,s until balanced,claims,of them steals,of them refused,requests in this time,writes/s when balanced,claims when balanced",
        ];
        foreach (var balancing in new[] { Balancing.Greedy, Balancing.Balanced })
        {
            foreach (var (partitions, processors) in Sizes.Where(size => balancing == Balancing.Greedy || size.Partitions == 1024))
            {
                var settings = new GroupSettings(partitions, processors, balancing, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(30), Answer);
                rows.AddRange(Changes.Select(change => Describe(settings, change.Name, change.Run(settings))));
            }
        }

        var path = RepositoryFiles.GetPath("docs", "results", "data", "balancing-1.csv");
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            File.WriteAllLines(path, rows);
            return;
        }

        Assert.Equal(File.ReadAllLines(path), rows);
    }

    private static Changed Change(GroupSettings settings, int before, Action<SimulatedGroup, int> change)
    {
        var group = new SimulatedGroup(settings, Seed);
        if (before > 0)
        {
            group.Start(before, TimeSpan.FromSeconds(1));
            Assert.NotNull(group.RunUntilBalanced(before, Limit));
            group.Run(settings.Interval * RestedIntervals);
        }

        var earlier = group.Requests.Copy();
        change(group, settings.Processors);
        var took = group.RunUntilBalanced(settings.Processors, Limit);
        var spent = group.Requests.Since(earlier);

        earlier = group.Requests.Copy();
        group.Run(settings.Interval * RestedIntervals);
        var rested = group.Requests.Since(earlier);
        Assert.NotNull(took);
        Assert.Equal(0, rested.Claims);
        return new Changed(took, spent, rested.Writes / (settings.Interval * RestedIntervals).TotalSeconds, rested.Claims);
    }

    private static string Describe(GroupSettings settings, string name, Changed changed) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"\"{settings.Partitions:N0} partitions, {settings.Processors} processors{(settings.Balancing == Balancing.Balanced ? ", balanced" : "")}\",{name},\"{changed.Took?.TotalSeconds:N1}\",\"{changed.Requests.Claims:N0}\",\"{changed.Requests.Steals:N0}\",\"{changed.Requests.Refused:N0}\",\"{changed.Requests.All:N0}\",{changed.WritesPerS:F1},{changed.ClaimsAfter}"
        );

    /// <param name="Took">Until the group was balanced again.</param>
    /// <param name="Requests">In this time.</param>
    /// <param name="WritesPerS">Of the store, afterwards.</param>
    /// <param name="ClaimsAfter">Claims afterwards. Without oscillation there are none.</param>
    private sealed record Changed(TimeSpan? Took, GroupRequests Requests, double WritesPerS, long ClaimsAfter);
}
