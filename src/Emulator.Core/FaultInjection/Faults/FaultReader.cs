using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Reads faults from the command line, from files and from HTTP requests.</summary>
public static class FaultReader
{
    private const double LongestSeconds = 1e9;

    private static readonly Dictionary<string, FaultPoint> Points = Enum.GetValues<FaultPoint>().ToDictionary(FaultEngine.GetName);
    private static readonly Dictionary<string, FaultAction> Actions = Enum.GetValues<FaultAction>().ToDictionary(FaultEngine.GetName);

    /// <summary>Null when every name between commas is known or looks like the name of a file.</summary>
    public static string? Problem(string option, string text) =>
        text.Split(',').FirstOrDefault(static name => !IsKnown(name)) is { } unknown ? $"{option} '{unknown}': {Advice(unknown)}" : null;

    /// <summary>Reads the faults of names and files.</summary>
    /// <exception cref="UsageException">All problems of a file.</exception>
    public static IReadOnlyList<FaultRule> Of(string text) =>
        [
            .. text.Split(',')
                .SelectMany(static name => FaultCatalogue.Names.Contains(name) ? [FaultCatalogue.Named(name)] : Read(SettingsDocument.ReadFile(name))),
        ];

    /// <summary>Reads one fault, or a list of them under "faults".</summary>
    /// <exception cref="UsageException">All problems of the settings.</exception>
    public static IReadOnlyList<FaultRule> Read(SettingsDocument document)
    {
        var rules = document.Root.Names.Contains("faults") ? Read(document.Root.Groups("faults")) : [Read(document.Root)];
        document.ThrowIfWrong();
        return rules;
    }

    /// <summary>Reads the faults of a list. Their document collects the problems.</summary>
    public static IReadOnlyList<FaultRule> Read(IEnumerable<SettingGroup> groups) => [.. groups.Select(Read)];

    private static bool IsKnown(string name) => FaultCatalogue.Names.Contains(name) || name.EndsWith(".json", StringComparison.OrdinalIgnoreCase);

    private static string Advice(string name)
    {
        var near = Suggestion.Nearest(name, FaultCatalogue.Names) is { } nearest ? $"unknown, did you mean '{nearest}'? Known: " : "unknown. Known: ";
        return $"{near}{string.Join(", ", FaultCatalogue.Names)}, or a file NAME.json";
    }

    // A known name supplies the missing members. Any other name requires a point and an action.
    private static FaultRule Read(SettingGroup group)
    {
        var name = group.Text("name", "own");
        var known = FaultCatalogue.Names.Contains(name) ? FaultCatalogue.Named(name) : null;
        if (known is null && group.Names.All(static member => member == "name"))
        {
            (group.Require("name") ?? group.Find("name"))?.Refuse(Advice(name));
            return FaultCatalogue.All[0].Rule;
        }

        var points = ReadPoints(group, known);
        var action = ReadAction(group, known);
        var rule =
            known
            ?? new FaultRule
            {
                Name = name,
                Points = points,
                Action = default,
                Reason = points.Contains(FaultPoint.IdleLink) ? FaultReason.Idle : FaultReason.Busy,
            };
        rule = ReadWhen(group, ReadHow(group, ReadWhom(group, rule with { Points = points, Action = action ?? rule.Action })));
        if (action is not null)
        {
            FaultCheck.Check(group, rule);
        }

        return rule;
    }

    private static IReadOnlyList<FaultPoint> ReadPoints(SettingGroup group, FaultRule? known)
    {
        var value = known is null ? group.Require("at") : group.Find("at");
        if (value is null)
        {
            return known?.Points ?? [];
        }

        var names = value.Kind == SettingKind.Text ? [value] : value.List() ?? [];
        if (names.Count == 0)
        {
            value.Refuse("has no point");
        }

        return [.. names.Select(static name => name.Choice(Points.Keys)).OfType<string>().Select(static name => Points[name])];
    }

    // Null when it is missing or unknown, which is then reported.
    private static FaultAction? ReadAction(SettingGroup group, FaultRule? known)
    {
        var value = known is null ? group.Require("do") : group.Find("do");
        return value is null ? known?.Action
            : value.Choice(Actions.Keys) is { } name ? Actions[name]
            : null;
    }

    private static FaultRule ReadWhom(SettingGroup group, FaultRule rule) =>
        rule with
        {
            Service = group.Find("service")?.Choice(FaultTarget.Services) ?? rule.Service,
            Entity = group.Find("entity")?.Text() ?? rule.Entity,
            Partition = group.Find("partition")?.Text() ?? rule.Partition,
            Group = group.Find("group")?.Text() ?? rule.Group,
            Detail = group.Find("detail")?.Text() ?? rule.Detail,
        };

    private static FaultRule ReadHow(SettingGroup group, FaultRule rule) =>
        rule with
        {
            Reason = group.Find("reason")?.Choice(FaultReason.Names) is { } reason ? FaultReason.Named(reason) : rule.Reason,
            Status = group.Find("status")?.Integer(400, 599) ?? rule.Status,
            RetryAfterSeconds = group.Find("retryAfterSeconds")?.Number(0, 3_600) ?? rule.RetryAfterSeconds,
            Milliseconds = group.Number("ms", rule.Milliseconds, 0, 3_600_000),
            AfterBytes = group.Long("afterBytes", rule.AfterBytes, 0, 1L << 40),
            BytesPerSecond = group.Number("bytesPerSecond", rule.BytesPerSecond, 1, 1e12),
            AndDrop = group.Flag("andDrop", rule.AndDrop),
            SkewSeconds = group.Number("skewSeconds", rule.SkewSeconds, -86_400, 86_400),
        };

    private static FaultRule ReadWhen(SettingGroup group, FaultRule rule)
    {
        rule = rule with
        {
            Probability = group.Number("probability", rule.Probability, 0, 1),
            Every = group.Integer("every", rule.Every, 1, int.MaxValue),
            Nth = group.Integer("nth", rule.Nth, 1, int.MaxValue),
            Limit = group.Integer("limit", rule.Limit, 1, int.MaxValue),
            FromSeconds = group.Number("fromSeconds", rule.FromSeconds, 0, LongestSeconds),
            ToSeconds = group.Find("toSeconds")?.Number(0, LongestSeconds) ?? rule.ToSeconds,
        };
        if (rule.ToSeconds <= rule.FromSeconds)
        {
            group.Refuse("'toSeconds' is not after 'fromSeconds'");
        }

        return rule;
    }
}
