namespace EventHubThroughput.Settings;

/// <summary>Suggests a word for a mistyped one.</summary>
public static class Suggestion
{
    /// <summary>The known word nearest to a mistyped one. Null when more than a third of the letters differ.</summary>
    public static string? Nearest(string word, IEnumerable<string> known)
    {
        var limit = Math.Max(1, word.Length / 3);
        var best = known
            .Where(candidate => Math.Abs(candidate.Length - word.Length) <= limit)
            .Select(candidate => (Candidate: candidate, Distance: Distance(word.ToLowerInvariant(), candidate.ToLowerInvariant())))
            .Where(entry => entry.Distance <= limit)
            .OrderBy(entry => entry.Distance)
            .FirstOrDefault();
        return best.Candidate;
    }

    // Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    private static int Distance(string a, string b)
    {
        var rows = new int[a.Length + 1][];
        for (var i = 0; i <= a.Length; i++)
        {
            rows[i] = new int[b.Length + 1];
            rows[i][0] = i;
        }

        for (var j = 0; j <= b.Length; j++)
        {
            rows[0][j] = j;
        }

        for (var i = 1; i <= a.Length; i++)
        {
            for (var j = 1; j <= b.Length; j++)
            {
                var replace = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                var best = Math.Min(replace, 1 + Math.Min(rows[i - 1][j], rows[i][j - 1]));
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    best = Math.Min(best, rows[i - 2][j - 2] + 1);
                }

                rows[i][j] = best;
            }
        }

        return rows[a.Length][b.Length];
    }
}
