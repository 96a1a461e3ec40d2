namespace EventHubThroughput.Journal;

/// <summary>Reads a ledger's rows for callers that ignore whether it was closed.</summary>
public static class LedgerReader
{
    /// <summary>Reads a ledger. See <see cref="LedgerFile.Rows"/>.</summary>
    public static IEnumerable<LedgerRow> Read(string path) => LedgerFile.Open(path).Rows;
}
