namespace EventHubThroughput.Journal;

/// <summary>Reads a journal's records for callers that ignore whether the last one is truncated.</summary>
public static class JournalReader
{
    /// <summary>Reads a journal. See <see cref="JournalFile.Records"/>.</summary>
    public static IEnumerable<JournalRecord> Read(string path) => JournalFile.Open(path).Records;
}
