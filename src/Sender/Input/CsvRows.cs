using System.Text;
using System.Text.Unicode;
using CsvHelper;

namespace EventHubThroughput.Sender.Input;

internal readonly record struct CsvRow(long Line, IReadOnlyList<string> Fields, string? Problem);

/// <summary>
/// Rows of comma-separated values (RFC 4180). A quoted field may contain commas, doubled quotes and line ends, which stay as they are. A row ends with CR, LF
/// or both. Empty lines are skipped.
/// </summary>
internal sealed class CsvRows : IDisposable
{
    private readonly CsvReader reader;
    private readonly bool isText;
    private string? malformed;
    private bool ended;

    public CsvRows(string path)
    {
        isText = !HasOtherMark(path);
        reader = CsvReader.Create(
            InputBytes.Open(path),
            new CsvReaderOptions
            {
                Separator = ',',
                HasHeader = false,
                Encoding = Encoding.UTF8,
                TrackLineNumbers = true,
                IncludeValuesInExceptions = false,
                MaxRecordSize = InputProblems.LineLimit,
                OnMalformedRecord = record => malformed ??= GetProblem(record.Reason),
            },
            leaveOpen: false
        );
    }

    /// <summary>The next row, or null at the end.</summary>
    public CsvRow? Read()
    {
        malformed = null;
        if (!isText && !ended)
        {
            ended = true;
            return new CsvRow(1, [], InputProblems.NotUtf8);
        }

        try
        {
            if (ended || !reader.Read())
            {
                return null;
            }
        }
        catch (CsvFormatException tooLong)
        {
            // It is unknown whether a quote is open after this row, so no further row can be found.
            ended = true;
            return new CsvRow(tooLong.LineNumber, [], $"a row of more than {InputProblems.LineLimit:N0} bytes");
        }

        var problem = malformed ?? (Utf8.IsValid(reader.RawRecord) ? null : InputProblems.NotUtf8);
        return new CsvRow(reader.LineNumber, problem is null ? reader.Current.ToArray() : [], problem);
    }

    public void Dispose() => reader.Dispose();

    // The reader would detect other Unicode encodings by their byte order mark. All other kinds of file are read as UTF-8.
    private static bool HasOtherMark(string path)
    {
        Span<byte> first = stackalloc byte[4];
        using var bytes = InputBytes.Open(path);
        var count = bytes.ReadAtLeast(first, first.Length, throwOnEndOfStream: false);
        return first[..count] is [0xFF, 0xFE, ..] or [0xFE, 0xFF, ..] or [0, 0, 0xFE, 0xFF];
    }

    // A quote inside a field that does not begin with a quote is an ordinary character.
    private static string? GetProblem(CsvMalformedReason reason) =>
        reason switch
        {
            CsvMalformedReason.UnterminatedQuote => "a quote is not closed",
            CsvMalformedReason.TextAfterClosingQuote => "a field continues after its closing quote",
            _ => null,
        };
}
