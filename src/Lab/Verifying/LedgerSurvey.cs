using EventHubThroughput.Journal;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Which runs and hubs a ledger contains, and the choice of the one to judge.</summary>
internal sealed class LedgerSurvey
{
    // Enough for the message that lists them. A ledger of a million runs must not fill the memory.
    private const int MostNames = 100;

    private readonly SortedDictionary<string, SortedSet<string>> hubsOfRuns = new(StringComparer.Ordinal);

    private LedgerSurvey() { }

    /// <summary>Whether the ledger has no row at all.</summary>
    public bool IsEmpty => hubsOfRuns.Count == 0;

    /// <exception cref="JournalFormatException">The ledger is damaged.</exception>
    public static LedgerSurvey Of(LedgerFile ledger)
    {
        var survey = new LedgerSurvey();
        foreach (var row in ledger.Rows)
        {
            if (!survey.hubsOfRuns.TryGetValue(row.Run, out var hubs) && survey.hubsOfRuns.Count < MostNames)
            {
                survey.hubsOfRuns.Add(row.Run, hubs = new SortedSet<string>(StringComparer.OrdinalIgnoreCase));
            }

            if (hubs?.Count < MostNames)
            {
                hubs.Add(row.Hub);
            }
        }

        return survey;
    }

    /// <summary>The run to judge. Null when the ledger has none.</summary>
    /// <exception cref="UsageException">The run that was named is not there, or there are several and none was named.</exception>
    public string? GetRun(string? named) =>
        named switch
        {
            null when IsEmpty => null,
            null => NameChoice.Of("--run", "the ledger", "runs", hubsOfRuns.Keys) ?? throw new InvalidOperationException("A ledger with rows has a run."),
            _ when IsEmpty || hubsOfRuns.ContainsKey(named) => named,
            _ => throw new UsageException($"--run '{named}': not in the ledger, which has {NameChoice.List(hubsOfRuns.Keys)}"),
        };

    /// <summary>The hub that the run's events were sent to. Null when there are none.</summary>
    /// <exception cref="UsageException">There are several.</exception>
    public string? GetHub(string? run) =>
        run is not null && hubsOfRuns.TryGetValue(run, out var hubs) ? NameChoice.Of("--hub", "the ledger", "event hubs", hubs) : null;
}
