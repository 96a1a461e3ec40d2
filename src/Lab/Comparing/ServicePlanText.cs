using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>What a comparison on services will create, send and write. It is printed before anything is sent.</summary>
internal static class ServicePlanText
{
    // A cell beside its measuring time: to start, to claim, to create and remove entities.
    private static readonly TimeSpan Around = TimeSpan.FromSeconds(10);

    /// <param name="plan">The comparison, with the partitions of the hub.</param>
    /// <param name="stateFile">The path of the state file. Null if nothing is created.</param>
    public static IEnumerable<string> Of(ComparisonPlan plan, string? stateFile)
    {
        var services = plan.Services!;
        var (hub, host) = (services.Settings.EventHubName, services.Described.EventHubs);
        var (cells, most) = (plan.PlannedCells, ComparisonServices.GetCells(plan).Count());
        yield return $"services  event hub '{hub}' of {host}, messages on {services.Described.ServiceBus}, storage {services.Described.Storage}";
        foreach (var line in GetEntities(plan, cells, stateFile))
        {
            yield return line;
        }

        var each = plan.IsOpenLoop ? plan.MostSent : plan.Load.Events;
        var sent = plan.IsOpenLoop ? each * cells : each;
        yield return plan.Load.Input is { } file
            ? $"sends     the events of {file} to event hub '{hub}'"
            : Text($"sends     {(plan.IsOpenLoop ? "at most " : "")}{sent:N0} events, {sent * plan.Load.Size.Mean / 1e6:N1} MB, to event hub '{hub}'");
        yield return "          They stay until the retention of the hub ends, and each other reader of the hub gets them";
        yield return Text(
            $"runs      {Plural.Format(cells, "cell")} of {plan.WarmUp.TotalSeconds:0.#} + {plan.Length.TotalSeconds:0.#} s{(most > cells ? Text($", at most {most} if blocks are discarded") : "")}, about {Math.Ceiling((cells * (plan.WarmUp + plan.Length + Around)).TotalMinutes):0} min and the time of reading back"
        );
        if (plan.Load.Input is null)
        {
            yield return GetWrites(plan, each);
        }
    }

    private static IEnumerable<string> GetEntities(ComparisonPlan plan, int cells, string? stateFile)
    {
        var services = plan.Services!;
        if (stateFile is null)
        {
            yield return $"entities  those of the file, {Plural.Format(cells, "set")}. Nothing is created or removed. Their checkpoints are replaced";
            yield break;
        }

        var created =
            (IReadOnlyList<ServiceEntity>)
                [.. services.GetGroups(plan), .. ComparisonServices.GetCells(plan).Take(cells).SelectMany(cell => services.GetCreated(plan, cell))];
        var kinds = created.GroupBy(static one => one.Kind).Select(static kind => Plural.Format(kind.Count(), GetName(kind.Key)));
        yield return $"creates   {string.Join(", ", kinds)}, named {ServiceEntity.Prefix}{plan.Id}-*";
        yield return Text($"          {2 * created.Count} operations of administration. All of them are removed at the end");
        yield return $"          {stateFile} names them until then";
    }

    // Each cell may complete all events that are there.
    private static string GetWrites(ComparisonPlan plan, long events)
    {
        var cells = ComparisonServices
            .GetCells(plan)
            .Take(plan.PlannedCells)
            .Select((_, place) => plan.Configurations[place % plan.CellsOfBlock % plan.Configurations.Count])
            .ToList();
        var messages = events * cells.Count(static one => GetSinks(one).HasFlag(SinkSet.Queue));
        var blobs = events * cells.Count(static one => GetSinks(one).HasFlag(SinkSet.Archive));
        var checkpoints = cells.Sum(one => GetCheckpoints(plan, one, events));
        return Text($"writes    at most {messages:N0} messages, {blobs:N0} blobs and {checkpoints:N0} checkpoints, and reads back what was written");
    }

    private static SinkSet GetSinks(ComparedConfiguration configuration) => JudgedSinks.Of(configuration.Options.Sinks.Select(static sink => sink.Name));

    private static long GetCheckpoints(ComparisonPlan plan, ComparedConfiguration configuration, long events)
    {
        var rule = configuration.Options.CheckpointsInForce;
        return rule switch
            {
                { EachBatch: true } => events,
                { Events: { } every } => events / every,
                _ => 0,
            } + (rule.Interval is { } interval ? (long)((plan.WarmUp + plan.Length) / interval) * configuration.Partitions : 0);
    }

    private static string GetName(EntityKind kind) =>
        kind switch
        {
            EntityKind.ConsumerGroup => "consumer group",
            EntityKind.Queue => "queue",
            EntityKind.Subscription => "subscription",
            EntityKind.Topic => "topic",
            _ => "container",
        };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
