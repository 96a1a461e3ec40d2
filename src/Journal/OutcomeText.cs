namespace EventHubThroughput.Journal;

/// <summary>The text of an outcome in a ledger.</summary>
internal static class OutcomeText
{
    public static ReadOnlySpan<byte> Of(SendOutcome outcome) =>
        outcome switch
        {
            SendOutcome.Acked => "acked"u8,
            SendOutcome.Failed => "failed"u8,
            _ => "unknown"u8,
        };

    public static SendOutcome? Parse(string? text) =>
        text switch
        {
            "acked" => SendOutcome.Acked,
            "failed" => SendOutcome.Failed,
            "unknown" => SendOutcome.Unknown,
            _ => null,
        };
}
