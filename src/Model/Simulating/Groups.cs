namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Each sink takes the events independently, several waiting ones in one operation if it can. The degree limits the operations under way at each. A sink must
/// not be so far ahead of another that the window is full of events for the slower one.
/// </summary>
internal sealed class Groups : ISimulatedStrategy
{
    private const int UsualLinger = 20;

    private readonly SimulatedEvents events;
    private readonly GroupSink[] sinks;
    private readonly Dictionary<int, int> missing = [];
    private readonly int lead;
    private bool isBeginning;

    public Groups(StrategyParts parts)
    {
        events = parts.Events;
        var rule = new GroupRule(parts.Degree, parts.Settings.Options.GetValueOrDefault(StrategyRule.Linger, UsualLinger), parts.Limits.Window);
        var notices = new GroupNotices(Begun, Ended, Begin);
        List<GroupSink> all =
        [
            .. parts.Services.Sinks.Select(sink => new GroupSink(parts.Calendar, parts.Events, rule, notices, sink.MostTogether, sink.Service.Do)),
        ];
        if (parts.Settings.HasWork)
        {
            all.Insert(0, new GroupSink(parts.Calendar, parts.Events, rule, notices, 1, (_, done) => Work(parts, done)));
        }

        sinks = [.. all];
        lead = sinks.Max(sink => Math.Max(parts.Degree, 2 * sink.Enough));
    }

    public void Dispatch(int from, int count, Action returned)
    {
        Array.ForEach(sinks, sink => sink.Add(count));
        Begin();
        returned();
    }

    private static void Work(StrategyParts parts, Action done) =>
        parts.Calendar.At(
            parts.Services.Processors.GetEnd(parts.Calendar.Now, parts.Settings.WorkMicroseconds / 1_000) + parts.Settings.BlockMilliseconds,
            done
        );

    // After one sink has taken events, another one may continue.
    private void Begin()
    {
        if (isBeginning)
        {
            return;
        }

        isBeginning = true;
        bool begun;
        do
        {
            begun = false;
            foreach (var sink in sinks)
            {
                begun |= sink.Begin(sinks.Min(static one => one.Taken) + lead);
            }
        } while (begun);

        isBeginning = false;
    }

    private void Begun(int from, int count)
    {
        for (var number = from; number < from + count; number++)
        {
            events.Begin(number);
            missing.TryAdd(number, sinks.Length);
        }
    }

    private void Ended(int from, int count)
    {
        for (var number = from; number < from + count; number++)
        {
            if (--missing[number] == 0)
            {
                missing.Remove(number);
                events.Complete(number);
            }
        }
    }
}
