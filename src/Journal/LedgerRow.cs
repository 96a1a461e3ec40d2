namespace EventHubThroughput.Journal;

/// <summary>The outcome of a send for the sender.</summary>
public enum SendOutcome
{
    /// <summary>The service confirmed it.</summary>
    Acked,

    /// <summary>The service refused it.</summary>
    Failed,

    /// <summary>No answer: it may or may not be stored.</summary>
    Unknown,
}

/// <summary>One event that the sender tried to send: the ledger's row.</summary>
/// <param name="Run">The run that it belongs to. Travels as <c>eht-run</c>.</param>
/// <param name="Hub">The event hub.</param>
/// <param name="Key">The partition key, or null.</param>
/// <param name="Index">Its number in the run from 0. Travels as <c>eht-index</c>.</param>
/// <param name="KeyIndex">Its number among its key's events from 0. Travels as <c>eht-key-index</c>.</param>
/// <param name="Sha256">SHA-256 of the body, lower-case hexadecimal. Travels as <c>eht-sha256</c>.</param>
/// <param name="Length">The body's length in bytes. Travels as <c>eht-length</c>.</param>
/// <param name="Intended">The scheduled send time, Unix milliseconds. Travels as <c>eht-intended</c>.</param>
/// <param name="Actual">When it was sent, Unix milliseconds.</param>
/// <param name="Outcome">The outcome of the send.</param>
public sealed record LedgerRow(
    string Run,
    string Hub,
    string? Key,
    long Index,
    long KeyIndex,
    string Sha256,
    long Length,
    long Intended,
    long Actual,
    SendOutcome Outcome
);
