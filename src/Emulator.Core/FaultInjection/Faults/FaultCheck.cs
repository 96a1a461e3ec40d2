using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Checks that an action is possible at its point, that required members are present, and that no member is without effect.</summary>
internal static class FaultCheck
{
    private static readonly string[] OfStrokes = ["service", "entity", "partition", "group", "detail", "probability", "every", "nth", "limit"];

    private static readonly (string Member, FaultAction[] To)[] Meanings =
    [
        ("reason", [FaultAction.Refuse, FaultAction.Detach]),
        ("status", [FaultAction.Refuse]),
        ("retryAfterSeconds", [FaultAction.Refuse]),
        ("ms", [FaultAction.Delay, FaultAction.BlackHole, FaultAction.NoCredit]),
        ("afterBytes", [FaultAction.Drop]),
        ("bytesPerSecond", [FaultAction.Slow]),
        ("andDrop", [FaultAction.LoseAnswer]),
        ("skewSeconds", [FaultAction.Skew]),
    ];

    /// <summary>Adds all problems of a rule.</summary>
    public static void Check(SettingGroup group, FaultRule rule)
    {
        var action = FaultEngine.GetName(rule.Action);
        foreach (var member in rule.Action == FaultAction.Skew ? OfStrokes.Where(group.Names.Contains) : [])
        {
            group.Refuse($"'{member}' has no effect on 'skew': one clock is wrong for all clients, from 'fromSeconds' to 'toSeconds'");
        }

        foreach (var (member, _) in Meanings.Where(meaning => group.Names.Contains(meaning.Member) && !IsMeant(meaning, rule)))
        {
            group.Refuse($"'{member}' has no effect on '{action}'");
        }

        if (Need(rule) is { } needed)
        {
            group.Refuse($"'{action}' needs '{needed}'");
        }

        foreach (var point in rule.Points.Where(point => !FaultMatrix.ActionsAt(point).Contains(rule.Action)))
        {
            group.Refuse(
                $"'{action}' is not possible at '{FaultEngine.GetName(point)}'. Possible: "
                    + string.Join(", ", FaultMatrix.ActionsAt(point).Select(FaultEngine.GetName))
            );
        }
    }

    // The idle time belongs to the point, for every action.
    private static bool IsMeant((string Member, FaultAction[] To) meaning, FaultRule rule) =>
        meaning.To.Contains(rule.Action) || (meaning.Member == "ms" && rule.Points.Contains(FaultPoint.IdleLink));

    private static string? Need(FaultRule rule) =>
        rule switch
        {
            { Milliseconds: <= 0 } when rule.Points.Contains(FaultPoint.IdleLink) => "ms",
            { Action: FaultAction.Delay or FaultAction.NoCredit, Milliseconds: <= 0 } => "ms",
            { Action: FaultAction.Slow, BytesPerSecond: <= 0 } => "bytesPerSecond",
            { Action: FaultAction.Skew, SkewSeconds: 0 } => "skewSeconds",
            _ => null,
        };
}
