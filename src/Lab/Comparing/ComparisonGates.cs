using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The gates of a comparison.</summary>
/// <param name="Conditions">Conditions that must not come true. Otherwise the comparison ends with a separate exit code.</param>
/// <param name="Slowdown">The slowdown against the first, as a share of its rate, that must be excluded of all others. Null sets no limit.</param>
/// <param name="Against">An earlier comparison than which no strategy may be slower. Null for none.</param>
internal sealed record ComparisonGates(IReadOnlyList<GateCondition> Conditions, double? Slowdown, ComparisonResult? Against)
{
    /// <summary>Whether a comparison without an answer ends with a separate exit code.</summary>
    public bool FailsIfUndecided { get; init; }

    /// <summary>Judges all of them and writes a line for each.</summary>
    /// <returns>The exit code of each.</returns>
    public IReadOnlyList<int> Judge(ComparisonResult result, TextWriter error)
    {
        GateVerdict[] verdicts =
        [
            .. Conditions.Select(gate => GateVerdict.Of(gate, result)),
            .. Slowdown is { } slowdown ? SlowdownVerdict.Of(result, slowdown) : [],
            .. FailsIfUndecided ? [UndecidedVerdict.Of(result)] : Array.Empty<GateVerdict>(),
            .. Against is { } earlier ? GateVerdict.Against(result, earlier) : [],
        ];
        List<int> codes = [];
        foreach (var verdict in verdicts)
        {
            error.WriteLine($"gate: {verdict.Line}");
            codes.Add(
                verdict.Outcome switch
                {
                    GateOutcome.Passed => ExitCode.Done,
                    GateOutcome.Failed => ExitCode.GateFailed,
                    _ => ExitCode.GateUndecided,
                }
            );
        }

        return codes;
    }
}
