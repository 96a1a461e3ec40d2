using EventHubThroughput.Lab.Results;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>One line of the verdict: a number and what it means.</summary>
internal sealed record VerdictRow(string Name, string Value, string Meaning);

/// <summary>The numbers of a verdict by their meaning: what was counted, what must be 0, and what was not judged.</summary>
internal sealed class VerdictGroups
{
    private readonly JudgedRun judged;
    private readonly bool orderIsNamed;
    private readonly List<VerdictRow> counted = [];
    private readonly List<VerdictRow> promises = [];
    private readonly List<VerdictRow> notJudged = [];

    /// <param name="judged">The verdict.</param>
    /// <param name="safety">The same in the form of the result file. Null for what the evidence does not show.</param>
    /// <param name="orderIsNamed">Whether a strategy or a promise of order was named.</param>
    public VerdictGroups(JudgedRun judged, SafetyFigures safety, bool orderIsNamed)
    {
        this.judged = judged;
        this.orderIsNamed = orderIsNamed;
        foreach (var field in VerdictField.All)
        {
            Add(field, field.GetValue(safety) is { } value ? Text(value) : null);
        }

        // The copies and replays that are counted above are not faults by themselves.
        AddExcess(
            VerdictField.DuplicateServiceBus,
            "unexplained",
            "copies that no replay, cut connection or late answer explains",
            VerdictField.DuplicateServiceBus
        );
        AddExcess(
            VerdictField.ReplayBound,
            "exceeded",
            "events repeated beyond the limit, or beyond what the end of the preceding owner explains",
            judged.Scope.Sinks == SinkSet.Handlers ? VerdictField.ReplayBound : Deliveries
        );
        promises.AddRange(
            judged
                .Verdict.Charges.Where(charge => VerdictField.All.All(field => field.Name != charge.Field))
                .Select(charge => new VerdictRow(charge.Field, Text(charge.Count), string.Empty))
        );
    }

    // Judged whenever deliveries are.
    private const string Deliveries = "accounting";

    /// <summary>The counts.</summary>
    public IReadOnlyList<VerdictRow> Counted => counted;

    /// <summary>The numbers that break a promise unless they are 0.</summary>
    public IReadOnlyList<VerdictRow> Promises => promises;

    /// <summary>The counts that mean nothing for the run, and why.</summary>
    public IReadOnlyList<VerdictRow> NotJudged => notJudged;

    private void Add(VerdictField field, string? value)
    {
        if (WhyNotJudged(field, value) is { } why)
        {
            notJudged.Add(new VerdictRow(field.Name, value ?? "-", why));
        }
        else
        {
            (field.Kind == FieldKind.Counted ? counted : promises).Add(new VerdictRow(field.Name, value!, field.Meaning));
        }
    }

    private void AddExcess(string field, string which, string meaning, string judgedWith)
    {
        var name = $"{field}, {which}";
        if (judged.Verdict.Charges.FirstOrDefault(charge => charge.Field == field) is { } charge)
        {
            promises.Add(new VerdictRow(name, Text(charge.Count), meaning));
        }
        else if (judged.Verdict.NotJudged.Contains(judgedWith))
        {
            notJudged.Add(new VerdictRow(name, "-", "not in the evidence"));
        }
        else
        {
            promises.Add(new VerdictRow(name, "0", meaning));
        }
    }

    private string? WhyNotJudged(VerdictField field, string? value) =>
        (field.Kind, judged.Scope.Promise) switch
        {
            _ when value is null => field.Name == VerdictField.ReplayBound && !judged.Unknown.Contains(field.Name)
                ? "no replay limit was given"
                : "not in the evidence",
            (FieldKind.PartitionOrder, not OrderPromise.Partition) or (FieldKind.KeyOrder, not OrderPromise.Key) => orderIsNamed
                ? "no guarantee"
                : "neither a strategy nor a guarantee was given",
            (FieldKind.Counted, _) => null,
            _ when field.Name == VerdictField.Expired && judged.Scope.AcceptsExpired => "accepted by the run",
            _ => judged.Verdict.NotJudged.Contains(field.Name) ? "so far. The evidence does not decide it" : null,
        };

    private static string Text(long count) => count.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
