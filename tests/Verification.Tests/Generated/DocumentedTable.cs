using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The tables of <c>docs/results/mutants.md</c>, by their headings.</summary>
internal static class DocumentedTable
{
    public static IReadOnlyList<string> Page => File.ReadAllLines(Path);

    private static string Path => RepositoryFiles.GetPath("docs", "results", "mutants.md");

    /// <summary>Fails when the tables below a heading are others. <c>EHT_APPROVE=1</c> writes them again.</summary>
    public static void Check(string heading, IReadOnlyList<string> table)
    {
        var lines = Page.ToList();
        var (from, to) = GetTable(lines, heading);
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            lines.RemoveRange(from, to - from);
            lines.InsertRange(from, table);
            File.WriteAllLines(Path, lines);
            return;
        }

        Assert.Equal(table, lines[from..to]);
    }

    // From the first row of the first table below the heading to the end of the last that follows without a text between.
    private static (int From, int To) GetTable(List<string> lines, string heading)
    {
        var from = lines.FindIndex(lines.IndexOf(heading), line => line.StartsWith('|'));
        var to = from;
        while (to < lines.Count && (lines[to].StartsWith('|') || (lines[to].Length == 0 && to + 1 < lines.Count && lines[to + 1].StartsWith('|'))))
        {
            to++;
        }

        return (from, to);
    }
}
