using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Safety.Rows;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Safety;

/// <summary>The list of rows against the specification and against the faults that the emulator offers.</summary>
public sealed partial class RowsTests
{
    private const int LastRow = 40;
    private const int LastDataRow = 12;

    [Fact]
    public void No_two_rows_have_the_same_name() =>
        Assert.Empty(FaultRows.All.GroupBy(row => row.Id).Where(group => group.Count() > 1).Select(group => group.Key));

    [Fact]
    public void Every_row_of_the_matrix_is_there()
    {
        HashSet<string> numbers = [.. FaultRows.All.Select(row => Number().Match(row.Id).Value)];
        var wanted = Numbers('F', LastRow).Concat(Numbers('D', LastDataRow));
        Assert.Empty(wanted.Except(numbers));
    }

    [Fact]
    public void The_sample_holds_the_rows_that_every_commit_must_pass()
    {
        HashSet<string> sampled = [.. FaultRows.All.Where(row => row.Sampled).Select(row => Number().Match(row.Id).Value)];
        string[] wanted = ["F1", "F2", "F6", "F10", "F14", "F17", "F21", "F23", "F29", "F31", "F32"];
        Assert.Empty(wanted.Except(sampled));
    }

    [Fact]
    public void Every_fault_of_the_matrix_that_has_a_name_in_the_emulator_is_used()
    {
        var document = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "docs", "laboratory.md"));
        var known = KnownFault().Matches(document).Select(match => match.Groups["name"].Value);
        HashSet<string> used =
        [
            .. FaultRows.All.SelectMany(row => row.Faults).Select(fault => fault.Split('&')[0].Replace("name=", "", StringComparison.Ordinal)),
        ];

        // No link of a cell is without traffic for long (IdleLinkFaultTests has that), and no consumer settles messages.
        Assert.Equal(["F8-idle", "F11-settle"], known.Except(used));
    }

    private static IEnumerable<string> Numbers(char letter, int last) =>
        Enumerable.Range(1, last).Select(number => string.Create(CultureInfo.InvariantCulture, $"{letter}{number}"));

    [GeneratedRegex(@"^[FDX]\d+", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Number();

    [GeneratedRegex(@"^\| `(?<name>F[^`]+)` \|", RegexOptions.ExplicitCapture | RegexOptions.Multiline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex KnownFault();
}
