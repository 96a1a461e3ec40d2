using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Sender.Input;

/// <summary>
/// JSON Lines: the bytes of a line are the event's body, unless it has <c>bodyBase64</c>: then what that stands for is. Blank lines
/// are no events.
/// </summary>
internal sealed class JsonLinesSource : IEventSource
{
    private readonly string path;
    private readonly string? keyField;

    private JsonLinesSource(string path, string? keyField)
    {
        this.path = path;
        this.keyField = keyField;
    }

    public long Count { get; private set; }

    public static JsonLinesSource Open(string path, string? keyField)
    {
        var source = new JsonLinesSource(path, keyField);
        source.Check();
        return source;
    }

    public IEnumerable<SourceEvent> Read()
    {
        using var lines = new InputLines(path, InputProblems.Limit);
        while (lines.Read() is { } line)
        {
            if (line.Bytes.Span.ContainsAnyExcept(" \t"u8))
            {
                var body = JsonBody.Parse(line.Bytes, keyField);
                yield return body.Problem is null && !line.TooLong
                    ? new SourceEvent(body.Body, body.IsBinary ? "application/octet-stream" : "application/json", body.Key)
                    : throw new ExitException(2, $"{path}:{line.Number}: was changed while it was sent");
            }
        }
    }

    private void Check()
    {
        var problems = new InputProblems(path);
        long keyed = 0;
        using var lines = new InputLines(path, InputProblems.Limit);
        while (lines.Read() is { } line)
        {
            if (line.TooLong)
            {
                problems.AddTooLong(line.Number, line.Length);
            }
            else if (line.Bytes.Span.ContainsAnyExcept(" \t"u8))
            {
                Count++;
                var body = JsonBody.Parse(line.Bytes, keyField);
                keyed += body.Key is null ? 0 : 1;
                if (body.Problem is not null)
                {
                    problems.Add(line.Number, body.Problem);
                }
            }
        }

        if (!problems.Any && Count == 0)
        {
            problems.Add($"{path}: contains no events");
        }
        else if (!problems.Any && keyField is not null && keyed == 0)
        {
            problems.Add($"--key-field '{keyField}': in no line of {path}");
        }

        problems.ThrowIfAny();
    }
}
