namespace EventHubThroughput.Journal;

/// <summary>The short way to a journal's records, for whoever need not know whether the last one was cut.</summary>
public static class JournalReader
{
    /// <summary>Reads a journal. See <see cref="JournalFile.Records"/>.</summary>
    public static IEnumerable<JournalRecord> Read(string path) => JournalFile.Open(path).Records;
}
