using System.Text.Json;

namespace EventHubThroughput.Journal.Files;

/// <summary>A kind of file that the programs write, and how one of them is known again.</summary>
/// <param name="Word">What it is called in messages.</param>
/// <param name="IsBeginOf">Whether a file that begins so is one. It is given at most <see cref="LongestBegin"/> bytes.</param>
public sealed record OutputKind(string Word, Func<ReadOnlyMemory<byte>, bool> IsBeginOf)
{
    internal const int LongestBegin = 4096;

    /// <summary>What an emulator records.</summary>
    public static OutputKind Journal { get; } = new("journal", static begin => HasFormat(begin.Span, JournalFormat.Name));

    /// <summary>What a sender writes down.</summary>
    public static OutputKind Ledger { get; } = new("ledger", static begin => HasFormat(begin.Span, JournalFormat.LedgerName));

    /// <summary>What a run, a verification or a comparison ends with.</summary>
    public static OutputKind Result { get; } = new("result", static begin => IsResult(begin.Span));

    /// <summary>What a comparison is shown by: a page or a text that says who made it, or lines of values with the names that these have.</summary>
    public static OutputKind Report { get; } =
        new(
            "report",
            static begin =>
                begin.Span.IndexOf("EventHubThroughput"u8) >= 0
                || begin.Span.StartsWith("comparison,started_utc,"u8)
                || begin.Span.StartsWith("sweep,threads,"u8)
        );

    /// <summary>A latency profile that was made of a run.</summary>
    public static OutputKind Profile { get; } =
        new("profile", static begin => begin.Span.StartsWith("{\n  \"name\": "u8) && begin.Span.IndexOf("\"messageSend\": {"u8) >= 0);

    // Of any version: what a newer program wrote is ours as well.
    private static bool HasFormat(ReadOnlySpan<byte> begin, string format)
    {
        var end = begin.IndexOf((byte)'\n');
        return end >= 0 && FormatHeader.NameOf(begin[..end]) == format;
    }

    // { "run": { "schema": 1, ... or "comparison" or "sweep" instead may end in the middle of the bytes that are looked at.
    private static bool IsResult(ReadOnlySpan<byte> begin)
    {
        try
        {
            var json = new Utf8JsonReader(begin, isFinalBlock: false, default);
            return json.Read()
                && json.TokenType == JsonTokenType.StartObject
                && json.Read()
                && json.TokenType == JsonTokenType.PropertyName
                && (json.ValueTextEquals("run"u8) || json.ValueTextEquals("comparison"u8) || json.ValueTextEquals("sweep"u8))
                && json.Read()
                && json.TokenType == JsonTokenType.StartObject
                && json.Read()
                && json.TokenType == JsonTokenType.PropertyName
                && json.ValueTextEquals("schema"u8)
                && json.Read()
                && json.TokenType == JsonTokenType.Number;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
