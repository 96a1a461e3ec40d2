using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

/// <summary>A cycle without a kill is never counted as one with a kill.</summary>
public sealed class KillRoundsTests
{
    private readonly SupervisionCounters tally = new("outloop");
    private readonly List<string> said = [];
    private readonly List<IReadOnlyList<KillCycle>> backlogs = [];

    [Fact]
    public async Task Cycles_that_end_a_consumer_share_backlogs()
    {
        KillCycle[] cycles = [.. KillSequence.ForKills(Enumerable.Repeat(KillPoint.MessageOnTheWire, 30), seed: 1)];

        await RunAsync(cycles, _ => true);

        Assert.Equal([25, 5], backlogs.Select(backlog => backlog.Count));
        Assert.Equal(cycles, backlogs.SelectMany(backlog => backlog));
        Assert.Equal((30, 30, 0), (tally.Cycles, tally.AsAsked, tally.Repeats));
        Assert.Empty(said);
    }

    [Fact]
    public async Task A_cycle_without_a_kill_is_repeated_on_a_separate_backlog_and_less_deep()
    {
        await RunAsync([At(3), At(40), At(5)], cycle => cycle.Order.Nth < 20);

        Assert.Equal(["K2:3 K2:40 K2:5", "K2:20 K2:5", "K2:10 K2:5"], backlogs.Select(backlog => string.Join(' ', backlog.Select(cycle => cycle.Order))));
        Assert.Equal((3, 3, 2), (tally.Cycles, tally.AsAsked, tally.Repeats));
        Assert.Equal(3, tally.StruckAt(KillPoint.MessageOnTheWire));
        Assert.Empty(tally.Failures);
        Assert.Equal(
            [
                "outloop, cycle 2: consumer ended before it could be killed at K2:40 (a message was sent completely, its answer has not been read). Repeated at K2:20 (1 of 3)",
                "outloop, cycle 2: consumer ended before it could be killed at K2:20 (a message was sent completely, its answer has not been read). Repeated at K2:10 (2 of 3)",
            ],
            said
        );
    }

    [Fact]
    public async Task A_cycle_that_never_kills_fails_the_supervision_after_the_others_were_tried()
    {
        await RunAsync([At(9), At(40), At(5)], cycle => cycle.Order.Nth is 9 or 5);

        // At the last repeat as shallow as can be.
        Assert.Equal(
            ["K2:9 K2:40 K2:5", "K2:20 K2:5", "K2:10 K2:5", "K2 K2:5", "K2:5"],
            backlogs.Select(backlog => string.Join(' ', backlog.Select(cycle => cycle.Order)))
        );
        Assert.Equal((3, 2), (tally.Cycles, tally.AsAsked));
        Assert.Equal(
            [
                "outloop, cycle 2: consumer ended before it could be killed at K2 (a message was sent completely, its answer has not been read), nor in 3 repeats",
            ],
            tally.Failures
        );
        Assert.Equal(ExitCode.VerificationFailed, Supervisor.GetCode([tally]));
    }

    [Fact]
    public async Task A_consumer_that_was_through_before_it_was_asked_to_drain_did_not_drain()
    {
        await RunAsync([new KillCycle(default, 6, SameOwner: true)], cycle => cycle.DrainAfter < 3);

        Assert.Equal([6, 3, 2], backlogs.Select(backlog => backlog[0].DrainAfter!.Value));
        Assert.Equal((1, 1, 2), (tally.Cycles, tally.AsAsked, tally.Repeats));
        Assert.Equal("outloop, cycle 1: consumer ended before it could be drained at checkpoint 6. Repeated at checkpoint 3 (1 of 3)", said[0]);
    }

    private static KillCycle At(int nth) => new(new KillOrder(KillPoint.MessageOnTheWire, nth), null, SameOwner: true);

    private async Task RunAsync(IEnumerable<KillCycle> cycles, Func<KillCycle, bool> ends)
    {
        var rounds = new KillRounds(
            new BacklogLoad(Reports.Of("outloop").Options),
            WorkOffAsync,
            tally,
            line =>
            {
                said.Add(line);
                return Task.CompletedTask;
            }
        );
        await rounds.RunAsync(cycles, TestContext.Current.CancellationToken);

        Task<int> WorkOffAsync(IReadOnlyList<KillCycle> some, CancellationToken cancellationToken)
        {
            backlogs.Add([.. some]);
            var ended = some.TakeWhile(ends).Count();
            foreach (var cycle in some.Take(ended))
            {
                var dies = cycle.Order.Point != KillPoint.None;
                tally.Count(cycle.Order.Point, new ConsumerEnd(dies ? ConsumerEnd.Killed : ExitCode.Done, "", null));
            }

            return Task.FromResult(ended);
        }
    }
}
