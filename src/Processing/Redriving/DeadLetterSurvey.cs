using System.Text.RegularExpressions;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>Counts what is left by reason, in bounded memory.</summary>
internal sealed partial class DeadLetterSurvey
{
    private const int MostReasons = 20;
    private const string Others = "other reasons";

    private readonly Dictionary<(string Sinks, string Reason), long> counts = [];
    private long others;

    /// <summary>All of them, the most frequent first.</summary>
    public IReadOnlyList<DeadLettersLeft> Left =>
        [
            .. counts
                .Select(static pair => new DeadLettersLeft(pair.Key.Sinks, pair.Key.Reason, pair.Value))
                .OrderByDescending(static left => left.Count)
                .ThenBy(static left => left.Sinks, StringComparer.Ordinal)
                .ThenBy(static left => left.Reason, StringComparer.Ordinal),
            .. others > 0 ? [new DeadLettersLeft("", Others, others)] : Array.Empty<DeadLettersLeft>(),
        ];

    /// <summary>Counts a dead letter that is left.</summary>
    public void Add(DeadLetter letter)
    {
        switch (letter.Kind)
        {
            case DeadLetterKind.Complete:
                Add(string.Join(", ", letter.Sinks), letter.Reason);
                break;
            case DeadLetterKind.Unreadable:
                Add("", letter.Problem);
                break;
        }
    }

    private void Add(string sinks, string reason)
    {
        // Sizes, numbers of events and names of blobs would make every reason different.
        var key = (sinks, Numbers().Replace(reason, "#"));
        if (counts.TryGetValue(key, out var count))
        {
            counts[key] = count + 1;
        }
        else if (counts.Count < MostReasons)
        {
            counts[key] = 1;
        }
        else
        {
            others++;
        }
    }

    [GeneratedRegex("[0-9]+(?:[.,][0-9]+)*", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Numbers();
}
