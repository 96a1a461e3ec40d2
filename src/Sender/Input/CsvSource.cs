using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Input;

/// <summary>Reads comma-separated values. The first row names the columns. Every further row is an event, a JSON object whose values are texts.</summary>
internal sealed class CsvSource : IFileSource
{
    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly string? keyField;

    private CsvSource(string path, string? keyField)
    {
        Path = path;
        this.keyField = keyField;
    }

    public string Path { get; }

    public long Count { get; private set; }

    public int LargestBody { get; private set; }

    public static CsvSource Open(string path, string? keyField)
    {
        var source = new CsvSource(path, keyField);
        source.Check();
        return source;
    }

    public IEnumerable<SourceEvent> Read()
    {
        using var rows = new CsvRows(Path);
        var header = rows.Read()?.Fields ?? [];
        var keyColumn = KeyColumn(header);
        while (rows.Read() is { } row)
        {
            if (row.Problem is not null || row.Fields.Count != header.Count)
            {
                throw new FailureException(FailureCause.Input, $"{Path}:{row.Line}: was changed while it was sent");
            }

            var key = keyColumn < 0 ? null : row.Fields[keyColumn];
            yield return new SourceEvent(Body(header, row.Fields), "application/json", key?.Length > 0 ? key : null, row.Line);
        }
    }

    private void Check()
    {
        var problems = new InputProblems(Path);
        using var rows = new CsvRows(Path);
        var header = rows.Read();
        CheckHeader(header, problems);
        // Without a readable header the rows cannot be checked.
        while (header is { Problem: null } && rows.Read() is { } row)
        {
            Count++;
            CheckRow(header.Value.Fields, row, problems);
        }

        if (!problems.Any && Count == 0)
        {
            problems.Add($"{Path}: contains no events");
        }

        problems.ThrowIfAny();
    }

    private void CheckHeader(CsvRow? header, InputProblems problems)
    {
        if (header is not { } row)
        {
            return;
        }

        if (row.Problem is not null)
        {
            problems.Add(row.Line, row.Problem);
            return;
        }

        if (row.Fields.Any(string.IsNullOrWhiteSpace))
        {
            problems.Add(row.Line, "a column has no name");
        }

        if (row.Fields.Distinct(StringComparer.Ordinal).Count() != row.Fields.Count)
        {
            problems.Add(row.Line, "two columns have the same name");
        }

        if (keyField is not null && KeyColumn(row.Fields) < 0)
        {
            problems.Add($"--key-field '{keyField}': not a column of {Path}");
        }
    }

    private void CheckRow(IReadOnlyList<string> header, CsvRow row, InputProblems problems)
    {
        if (row.Problem is not null)
        {
            problems.Add(row.Line, row.Problem);
            return;
        }

        if (row.Fields.Count != header.Count)
        {
            problems.Add(row.Line, $"{row.Fields.Count} columns, the header has {header.Count}");
            return;
        }

        var length = Body(header, row.Fields).Length;
        LargestBody = Math.Max(LargestBody, length);
        if (length > InputProblems.Limit)
        {
            problems.AddTooLong(row.Line, length);
        }

        var keyColumn = KeyColumn(header);
        var key = keyColumn < 0 ? null : row.Fields[keyColumn];
        if (JsonBody.CheckKey(keyField ?? string.Empty, ref key) is { } problem)
        {
            problems.Add(row.Line, problem);
        }
    }

    private int KeyColumn(IReadOnlyList<string> header)
    {
        for (var column = 0; keyField is not null && column < header.Count; column++)
        {
            if (header[column] == keyField)
            {
                return column;
            }
        }

        return -1;
    }

    private static ReadOnlyMemory<byte> Body(IReadOnlyList<string> header, IReadOnlyList<string> fields)
    {
        var bytes = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(bytes, Readable);
        json.WriteStartObject();
        for (var column = 0; column < header.Count; column++)
        {
            json.WriteString(header[column], fields[column]);
        }

        json.WriteEndObject();
        json.Flush();
        return bytes.WrittenMemory;
    }
}
