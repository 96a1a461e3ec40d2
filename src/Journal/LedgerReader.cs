namespace EventHubThroughput.Journal;

/// <summary>The short way to a ledger's rows, for whoever need not know whether it was closed.</summary>
public static class LedgerReader
{
    /// <summary>Reads a ledger. See <see cref="LedgerFile.Rows"/>.</summary>
    public static IEnumerable<LedgerRow> Read(string path) => LedgerFile.Open(path).Rows;
}
