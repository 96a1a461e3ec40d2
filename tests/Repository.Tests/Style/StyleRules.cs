using System.Text.RegularExpressions;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Repository.Tests.Style;

/// <summary>A text that breaks a rule.</summary>
/// <param name="Prose">The text.</param>
/// <param name="Found">The word, or the beginning of a sentence that is too long.</param>
/// <param name="Instead">What to write.</param>
internal sealed record Violation(Prose Prose, string Found, string Instead)
{
    public override string ToString() => $"{Prose.File}:{Prose.Line}: '{Found}': {Instead}";
}

/// <summary>The rules of docs/style.md that can be checked.</summary>
internal sealed partial class StyleRules
{
    public const int MostWordsOfSentence = 25;
    public const int MostWordsOfCell = 60;

    private readonly IReadOnlyList<(Regex Pattern, string Instead)> words;

    private StyleRules(IReadOnlyList<(Regex Pattern, string Instead)> words) => this.words = words;

    /// <summary>The rules with the words of the first table of the page.</summary>
    public static StyleRules Read() =>
        new([
            .. MarkdownProse
                .GetTables(File.ReadAllText(RepositoryFiles.GetPath("docs", "style.md")))
                .First()
                .Select(static row => (GetPattern(row[0]), row[1])),
        ]);

    /// <summary>Every rule that a text breaks.</summary>
    public IEnumerable<Violation> Check(Prose prose) =>
        [
            .. words.SelectMany(word => word.Pattern.Matches(prose.Text).Select(match => new Violation(prose, match.Value, $"write {word.Instead}"))),
            .. prose.Kind is ProseKind.Literal or ProseKind.TestName ? [] : Shape(prose),
        ];

    private static IEnumerable<Violation> Shape(Prose prose)
    {
        if (prose.Kind == ProseKind.Cell && GetWords(prose.Text) is > MostWordsOfCell and var words)
        {
            yield return new Violation(prose, Beginning(prose.Text), $"{words} words in a cell, at most {MostWordsOfCell}");
        }

        if (prose.Text.Contains("; ", StringComparison.Ordinal))
        {
            yield return new Violation(prose, ";", "write two sentences");
        }

        foreach (var sentence in End().Split(prose.Text).Where(static sentence => GetWords(sentence) > MostWordsOfSentence))
        {
            yield return new Violation(prose, Beginning(sentence), $"{GetWords(sentence)} words in a sentence, at most {MostWordsOfSentence}");
        }
    }

    private static Regex GetPattern(string alternatives)
    {
        var any = string.Join(
            '|',
            alternatives
                .Split(',', StringSplitOptions.TrimEntries)
                .Select(static word => Regex.Escape(word).Replace("\\*", "\\w*", StringComparison.Ordinal).Replace("\\ ", "\\s", StringComparison.Ordinal))
        );

        // "There is no" is English. The same verb after another subject is not.
        return new Regex($@"\b(?<!\b[Tt]here\s)(?:{any})\b(?!\slonger\b)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant, TimeSpan.FromSeconds(1));
    }

    private static string Beginning(string text) => string.Join(' ', text.Split(' ').Take(6));

    private static int GetWords(string text) => text.Split(' ').Count(static word => word.Any(char.IsLetterOrDigit));

    // A colon ends a sentence as well: what follows is a list or an example.
    [GeneratedRegex(@"(?<=[.!?:])\s+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex End();
}
