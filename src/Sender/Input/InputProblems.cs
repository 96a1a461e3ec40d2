using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Input;

/// <summary>What is wrong with a file: the first twenty in words with their line numbers, never with their content, the others counted.</summary>
internal sealed class InputProblems(string path)
{
    /// <summary>The most bytes of an event's body: an event hub takes no more, with all that goes along.</summary>
    public const int Limit = 1_048_576;

    /// <summary>The most bytes of what holds a body: its Base64, the quotes and names around it. Bounds the memory, whatever a file holds.</summary>
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
