using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Each row of the table on the real executable: its words, its exit code, no stack trace, no secret.</summary>
public sealed class BadInputTableTests
{
    private static readonly Dictionary<string, BadInputRow> Rows = BadInputTable.All.ToDictionary(static row => row.Name, StringComparer.Ordinal);

    public static TheoryData<string> Names => [.. Rows.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public Task Bad_input_is_refused_in_the_words_of_the_table(string name) => AssertRefusedAsync(Rows[name]);

    /// <summary>Gives a program the input of a row and expects exactly the output of the row.</summary>
    internal static async Task AssertRefusedAsync(BadInputRow row)
    {
        using var folder = new TemporaryFolder();
        row.WriteFiles(folder);
        var directory = Path.GetDirectoryName(folder.File("x"))!;

        var finished = await Programs.RunAsync(row.Program, Put(row.Arguments), row.Environment(), TestContext.Current.CancellationToken);

        Assert.Equal(Put(row.Expected).Split('\n').Select(static line => line.TrimEnd('\r')), Shorten(finished.Error, Put(row.Expected)));
        Assert.Equal((row.ExitCode, ""), (finished.ExitCode, finished.Output));
        Assert.DoesNotContain(BadInputRow.Canary.TrimEnd('='), finished.Error, StringComparison.Ordinal);

        string Put(string text) => text.Replace("{dir}", directory, StringComparison.Ordinal);
    }

    // The output, each line cut to the expected beginning where only that is expected.
    private static IEnumerable<string> Shorten(string error, string expected)
    {
        var beginnings = expected.Split('\n');
        var lines = error.TrimEnd().Split('\n');
        for (var index = 0; index < lines.Length; index++)
        {
            var beginning = index < beginnings.Length && beginnings[index].EndsWith('*') ? beginnings[index][..^1] : null;
            yield return beginning is not null && lines[index].StartsWith(beginning, StringComparison.Ordinal) ? beginning + "*" : lines[index];
        }
    }
}
