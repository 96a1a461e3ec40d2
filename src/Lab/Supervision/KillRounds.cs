using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// Works through the cycles of one strategy, some of them on each backlog. In a cycle, a consumer may end before it reaches its point. Such a cycle proves
/// nothing. It is reported, and repeated on a separate backlog, less deep each time. After the last repeat it is a failure.
/// </summary>
/// <param name="load">The number of cycles that a backlog is enough for.</param>
/// <param name="workOff">
/// Ends consumers on one backlog according to the cycles, up to the first cycle that ends no consumer. Returns how many cycles did end one.
/// </param>
/// <param name="counters">Counts the outcomes of the cycles.</param>
/// <param name="say">Receives a line about a cycle that is repeated.</param>
internal sealed class KillRounds(
    BacklogLoad load,
    Func<IReadOnlyList<KillCycle>, CancellationToken, Task<int>> workOff,
    SupervisionCounters counters,
    Func<string, Task> say
)
{
    public async Task RunAsync(IEnumerable<KillCycle> cycles, CancellationToken cancellationToken)
    {
        var left = new LinkedList<KillCycle>(cycles);
        while (left.Count > 0)
        {
            var some = load.Share(left);
            var ended = await workOff(some, cancellationToken);
            for (var one = 0; one < ended; one++)
            {
                left.RemoveFirst();
            }

            if (ended < some.Count)
            {
                left.RemoveFirst();
                await RepeatAsync(some[ended], left);
            }
        }
    }

    private async Task RepeatAsync(KillCycle missed, LinkedList<KillCycle> left)
    {
        var which = $"{counters.Strategy}, cycle {counters.Cycles + 1}: {missed.Missed}";
        if (missed.Again() is { } again)
        {
            counters.Repeat();
            left.AddFirst(again);
            await say($"{which}. Repeated at {again.Moment} ({again.Repeats} of {KillCycle.MostRepeats})");
        }
        else
        {
            counters.GiveUp($"{which}, nor in {Plural.Format(KillCycle.MostRepeats, "repeat")}");
        }
    }
}
