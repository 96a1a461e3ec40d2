namespace EventHubThroughput.Journal;

/// <summary>
/// A journal or ledger that is damaged, out of order, of a newer version, or of another format. The message is one line that names the record or line number
/// and never shows its content.
/// </summary>
public sealed class JournalFormatException(string message, Exception? innerException = null) : Exception(message, innerException);
