using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Input;

/// <summary>
/// JSON values of a file, each a line or an element of an array. The bytes of a value are the body of the event. If the value has <c>bodyBase64</c>, the
/// decoded bytes are the body. Blank lines are skipped.
/// </summary>
internal sealed class JsonSource : IFileSource
{
    private readonly Func<IJsonValues> open;
    private readonly KeyPath? keyPath;

    private JsonSource(string path, Func<IJsonValues> open, KeyPath? keyPath)
    {
        Path = path;
        this.open = open;
        this.keyPath = keyPath;
    }

    public string Path { get; }

    public long Count { get; private set; }

    public int LargestBody { get; private set; }

    public static JsonSource OpenLines(string path, string? keyField) =>
        Open(new JsonSource(path, () => new InputLines(path, InputProblems.LineLimit), KeyPath.Of(keyField)));

    public static JsonSource OpenArray(string path, string? keyField) =>
        Open(new JsonSource(path, () => new JsonElements(path, InputProblems.LineLimit, JsonBody.Deepest), KeyPath.Of(keyField)));

    public IEnumerable<SourceEvent> Read()
    {
        using var values = open();
        while (Next(values) is { } value)
        {
            if (!IsBlank(value))
            {
                var body = JsonBody.Parse(value.Bytes, keyPath);
                yield return body.Problem is null && !value.TooLong && body.Body.Length <= InputProblems.Limit
                    ? new SourceEvent(body.Body, body.IsBinary ? "application/octet-stream" : "application/json", body.Key, value.Number)
                    : throw Changed(value.Number);
            }
        }
    }

    private static JsonSource Open(JsonSource source)
    {
        source.Check();
        return source;
    }

    private static bool IsBlank(InputLine value) => !value.TooLong && !value.Bytes.Span.ContainsAnyExcept(" \t"u8);

    private InputLine? Next(IJsonValues values)
    {
        try
        {
            return values.Read();
        }
        catch (MalformedInputException exception)
        {
            throw Changed(exception.Line);
        }
    }

    private FailureException Changed(long line) => new(FailureCause.Input, $"{Path}:{line}: was changed while it was sent");

    private void Check()
    {
        var problems = new InputProblems(Path);
        var keyed = CheckValues(problems);
        if (!problems.Any && Count == 0)
        {
            problems.Add($"{Path}: contains no events");
        }
        else if (!problems.Any && keyPath is not null && keyed == 0)
        {
            problems.Add($"--key-field '{keyPath.Text}': in no line of {Path}");
        }

        problems.ThrowIfAny();
    }

    // Returns the number of values that have a key.
    private long CheckValues(InputProblems problems)
    {
        long keyed = 0;
        using var values = open();
        try
        {
            while (values.Read() is { } value)
            {
                if (value.TooLong)
                {
                    problems.AddTooLong(value.Number, value.Length);
                }
                else if (!IsBlank(value))
                {
                    keyed += CheckValue(value, problems) ? 1 : 0;
                }
            }
        }
        catch (MalformedInputException exception)
        {
            problems.Add(exception.Line, exception.Message);
        }

        return keyed;
    }

    private bool CheckValue(InputLine value, InputProblems problems)
    {
        Count++;
        var body = JsonBody.Parse(value.Bytes, keyPath);
        LargestBody = Math.Max(LargestBody, body.Body.Length);
        if (body.Problem is not null)
        {
            problems.Add(value.Number, body.Problem);
        }
        else if (body.Body.Length > InputProblems.Limit)
        {
            problems.AddTooLong(value.Number, body.Body.Length);
        }

        return body.Key is not null;
    }
}
