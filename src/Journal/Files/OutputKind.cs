using System.Text.Json;

namespace EventHubThroughput.Journal.Files;

/// <summary>A kind of file that the programs write, and how it is recognised.</summary>
/// <param name="Word">Its name in messages.</param>
/// <param name="IsBeginOf">Whether a file with this beginning is one. It receives at most <see cref="LongestBegin"/> bytes.</param>
public sealed record OutputKind(string Word, Func<ReadOnlyMemory<byte>, bool> IsBeginOf)
{
    internal const int LongestBegin = 4096;

    /// <summary>The record of an emulator.</summary>
    public static OutputKind Journal { get; } = new("journal", static begin => HasFormat(begin.Span, JournalFormat.Name));

    /// <summary>The record of a sender.</summary>
    public static OutputKind Ledger { get; } = new("ledger", static begin => HasFormat(begin.Span, JournalFormat.LedgerName));

    /// <summary>A consumer's record of what its handlers have acknowledged.</summary>
    public static OutputKind Acknowledgements { get; } =
        new("record of acknowledgements", static begin => HasFormat(begin.Span, JournalFormat.AcknowledgementsName));

    /// <summary>The result of a run, a verification or a comparison.</summary>
    public static OutputKind Result { get; } = new("result", static begin => IsResult(begin.Span));

    /// <summary>The report of a comparison: a page or a text that names its generator, or lines of values with a header.</summary>
    public static OutputKind Report { get; } =
        new(
            "report",
            static begin =>
                begin.Span.IndexOf("EventHubThroughput"u8) >= 0
                || begin.Span.StartsWith("comparison,started_utc,"u8)
                || begin.Span.StartsWith("sweep,threads,"u8)
        );

    /// <summary>A latency profile that was derived from a run.</summary>
    public static OutputKind Profile { get; } =
        new("profile", static begin => begin.Span.StartsWith("{\n  \"name\": "u8) && begin.Span.IndexOf("\"messageSend\": {"u8) >= 0);

    // Of any version: files of a newer program are recognised as well.
    private static bool HasFormat(ReadOnlySpan<byte> begin, string format)
    {
        var end = begin.IndexOf((byte)'\n');
        return end >= 0 && FormatHeader.GetName(begin[..end]) == format;
    }

    // { "run": { "schema": 1, ... or with "comparison" or "sweep". It may be cut off in the middle of the checked bytes.
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
