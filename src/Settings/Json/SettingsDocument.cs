namespace EventHubThroughput.Settings.Json;

/// <summary>
/// Settings from JSON (a file, the body of a request) or from a query. The reader requests each value by name and with limits. Problems are kept until
/// <see cref="ThrowIfWrong"/> lists them together, with the members that were not requested.
/// </summary>
/// <remarks>Comments, trailing commas and duplicate members are refused. A member that is null counts as missing.</remarks>
public sealed class SettingsDocument
{
    /// <summary>How deep groups and lists may nest.</summary>
    public const int LargestNesting = 64;

    /// <summary>Bytes of a file or body.</summary>
    public const int LargestSize = 1024 * 1024;

    /// <summary>Characters of a member's name.</summary>
    public const int LargestName = 256;

    /// <summary>The most problems that are listed. The others are counted.</summary>
    public const int MostProblems = 20;

    // The first ones. The others are counted.
    private readonly List<(int Line, string Text)> _problems = [];
    private int _others;
    private readonly List<SettingGroup> _groups = [];

    internal SettingsDocument(string source) => Source = source;

    /// <summary>The source in messages: a file's path, "body" or "query".</summary>
    public string Source { get; }

    /// <summary>The outermost group.</summary>
    public SettingGroup Root { get; private set; } = null!;

    /// <summary>
    /// The problems so far, in the order of the lines: <c>settings.json:12: 'hubs[0].partitions' 5000: allowed 1 to 1024</c>. After the first
    /// <see cref="MostProblems"/> a line has the number of further ones.
    /// </summary>
    public IReadOnlyList<string> Problems
    {
        get
        {
            var unread = _groups.SelectMany(static group => group.Unread.Select(value => (Group: group, Value: value))).ToList();
            var listed = _problems.Concat(
                unread.Take(MostProblems - _problems.Count).Select(one => (one.Value.Line, Text: Locate(one.Value.Line, one.Group.GetProblem(one.Value))))
            );
            var texts = listed.OrderBy(static problem => problem.Line).Select(static problem => problem.Text).ToList();
            var others = _problems.Count + _others + unread.Count - texts.Count;
            return others == 0 ? texts : [.. texts, $"{Source}: and {others} more"];
        }
    }

    /// <summary>Reads a file.</summary>
    /// <exception cref="UsageException">The file is missing, unreadable, too large, or not JSON.</exception>
    public static SettingsDocument ReadFile(string path) => Parse(path, NamedFile.Read(path, path, LargestSize));

    /// <summary>Reads JSON whose outermost value is an object.</summary>
    /// <exception cref="UsageException">The text is not such JSON. The message has the place, never the content.</exception>
    public static SettingsDocument Parse(string source, ReadOnlySpan<byte> json)
    {
        var document = new SettingsDocument(source);
        document.Root = SettingsParser.Parse(document, json).Group() ?? throw new UsageException(document.Problems);
        return document;
    }

    /// <summary>Creates a document from the parameters of a query. The reader decides whether a value is a number, a flag or a list.</summary>
    /// <param name="parameters">Names and values.</param>
    /// <param name="source">Their source in messages.</param>
    public static SettingsDocument OfQuery(IEnumerable<KeyValuePair<string, string>> parameters, string source = "query")
    {
        var document = new SettingsDocument(source);
        var root = new SettingValue(document, SettingPlace.Outermost, 0, SettingKind.Group);
        foreach (var (name, value) in parameters)
        {
            root.Add(name, new SettingValue(document, SettingPlace.Member(root, name), 0, SettingKind.Text, value) { IsLoose = true });
        }

        document.Root = root.Group()!;
        return document;
    }

    /// <exception cref="UsageException">There are problems, which the message lists.</exception>
    public void ThrowIfWrong()
    {
        if (Problems is { Count: > 0 } problems)
        {
            throw new UsageException(problems);
        }
    }

    // A problem that is only counted is never formatted.
    internal void Add(int line, Func<string> problem)
    {
        if (_problems.Count < MostProblems)
        {
            _problems.Add((line, Locate(line, problem())));
        }
        else
        {
            _others++;
        }
    }

    internal void Add(SettingGroup group) => _groups.Add(group);

    internal string Locate(int line, string problem) => line == 0 ? $"{Source}: {problem}" : $"{Source}:{line}: {problem}";
}
