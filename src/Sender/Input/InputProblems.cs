using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Input;

/// <summary>The problems of a file. The first twenty are listed with their line numbers and never with their content. The others are counted.</summary>
internal sealed class InputProblems(string path)
{
    /// <summary>The most bytes of an event's body. An event hub accepts no more, including properties and encoding.</summary>
    public const int Limit = 1_048_576;

    /// <summary>The most bytes of the text that contains a body: its Base64, the quotes and the names around it. Bounds the memory for any file.</summary>
    public const int LineLimit = 8 * Limit;

    public const string NotUtf8 = "not valid UTF-8, use JSON Lines with \"bodyBase64\"";

    private const int Shown = 20;

    private readonly List<string> shown = [];
    private long more;

    public bool Any => shown.Count > 0;

    public void Add(long line, string what)
    {
        if (shown.Count < Shown)
        {
            shown.Add($"{path}:{line}: {what}");
        }
        else
        {
            more++;
        }
    }

    public void Add(string what) => shown.Add(what);

    public void AddTooLong(long line, long length) => Add(line, $"{length:N0} bytes, limit {Limit:N0}");

    public void ThrowIfAny()
    {
        if (Any)
        {
            throw new UsageException(more == 0 ? shown : [.. shown, $"and {more} more"]);
        }
    }
}
