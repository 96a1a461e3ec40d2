namespace EventHubThroughput.Journal;

/// <summary>The end of a journal, where it can be continued.</summary>
/// <param name="Position">The length of its complete records with the header, in bytes.</param>
/// <param name="Tick">The last record's tick, which is their number.</param>
/// <param name="Microseconds">The last record's time.</param>
/// <param name="CutBytes">Bytes of a truncated record after them.</param>
/// <param name="Stored">Its last record of each partition. Null for a new journal.</param>
public readonly record struct JournalEnd(long Position, long Tick, long Microseconds, long CutBytes, LastStored? Stored = null)
{
    /// <exception cref="JournalFormatException">Not a journal, of another version, or damaged before its last record.</exception>
    internal static JournalEnd Of(string path)
    {
        var journal = JournalFile.Open(path);
        if (journal.Version != JournalFormat.Version)
        {
            throw new JournalFormatException($"{path}: journal version {journal.Version} cannot be continued by this program ({JournalFormat.Version})");
        }

        JournalRecord? last = null;
        var stored = new LastStored();
        foreach (var record in journal.Records)
        {
            last = record;
            stored.Note(record);
        }

        return new JournalEnd(journal.WholeBytes, last?.Tick ?? 0, last?.Microseconds ?? 0, new FileInfo(path).Length - journal.WholeBytes, stored);
    }
}
