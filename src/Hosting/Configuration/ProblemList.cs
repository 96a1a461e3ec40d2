namespace EventHubThroughput.Hosting.Configuration;

/// <summary>The problems of one processing's options, each line with the path of its key.</summary>
/// <param name="path">The path of the section.</param>
internal sealed class ProblemList(string path)
{
    private readonly List<string> lines = [];

    public IReadOnlyList<string> Lines => lines;

    public string GetPath(string key) => $"{path}:{key}";

    public void Add(string key, string what) => lines.Add($"{GetPath(key)}{what}");

    public void AddUnread(IEnumerable<string> unread) => lines.AddRange(unread);

    /// <summary>Adds a problem of <see cref="Processing.ProcessingOptions"/>: <c>Option value: what is allowed</c>, whose option may have a dot.</summary>
    public void AddOption(string line)
    {
        var end = line.AsSpan().IndexOfAny(' ', ':');
        Add(line[..end].Replace('.', ':'), line[end..]);
    }

    public void AddUndefined<T>(string key, T value)
        where T : struct, Enum
    {
        if (!Enum.IsDefined(value))
        {
            Add(key, $" {value}: allowed {EnumNames.Of<T>()}");
        }
    }
}
