using EventHubThroughput.Lab.Comparing.Gates;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The gates of a comparison.</summary>
/// <param name="Conditions">Conditions that must not come true. Otherwise the comparison ends with a separate exit code.</param>
/// <param name="Slowdown">The slowdown against the first, as a share of its rate, that must be excluded of all others. Null sets no limit.</param>
/// <param name="Against">An earlier comparison than which no strategy may be slower. Null for none.</param>
internal sealed record ComparisonGates(IReadOnlyList<GateCondition> Conditions, double? Slowdown, ComparisonResult? Against)
{
    /// <summary>The option of <see cref="JUnit"/>.</summary>
    public const string JUnitOption = "--junit";

    /// <summary>The environment variable by which GitHub Actions names the summary of a step.</summary>
    public const string StepSummaryVariable = "GITHUB_STEP_SUMMARY";

    /// <summary>Whether a comparison without an answer ends with a separate exit code.</summary>
    public bool FailsIfUndecided { get; init; }

    /// <summary>Where the outcomes go as JUnit XML. Null writes none.</summary>
    public string? JUnit { get; init; }

    /// <summary>Judges all of them, writes a line for each, and then the files.</summary>
    /// <param name="result">The comparison.</param>
    /// <param name="stepSummary">A file to which outcomes and report are appended as Markdown. Null or empty appends nothing.</param>
    /// <param name="error">Receives the lines.</param>
    /// <returns>The exit code of each gate, and those of files that could not be written.</returns>
    public IReadOnlyList<int> Judge(ComparisonResult result, string? stepSummary, TextWriter error)
    {
        GateVerdict[] verdicts =
        [
            .. Conditions.Select(gate => GateVerdict.Of(gate, result)),
            .. Slowdown is { } slowdown ? SlowdownVerdict.Of(result, slowdown) : [],
            .. FailsIfUndecided ? [UndecidedVerdict.Of(result)] : Array.Empty<GateVerdict>(),
            .. Against is { } earlier ? GateVerdict.Against(result, earlier) : [],
        ];
        foreach (var verdict in verdicts)
        {
            error.WriteLine($"gate: {verdict.Line}");
        }

        var files = new WrittenFiles(error);
        files.Write(JUnit, path => ResultFile.Write(path, JUnitReport.Of(result, verdicts), JUnitOption), "junit");
        if (verdicts.Length > 0 && !string.IsNullOrEmpty(stepSummary))
        {
            files.Write(stepSummary, path => ResultFile.Append(path, StepSummaryText.Of(result, verdicts), StepSummaryVariable), what: null);
        }

        return [.. verdicts.Select(static verdict => verdict.ExitCode), .. files.Codes];
    }
}
