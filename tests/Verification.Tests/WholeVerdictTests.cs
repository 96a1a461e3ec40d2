using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>
/// The whole verdict on every mutant, its words and each count that differs from the unchanged run's, is in <c>mutants.txt</c>. After a planned
/// change, <c>EHT_APPROVE=1</c> writes the file again, and its difference is what there is to review.
/// </summary>
public sealed class WholeVerdictTests
{
    private const string Approved = "mutants.txt";

    private static readonly PropertyInfo[] Counts =
    [
        .. typeof(Verdict).GetProperties().Where(property => property.PropertyType == typeof(long) || property.PropertyType == typeof(long?)),
    ];

    [Fact]
    public void The_verdict_of_every_mutant_is_the_approved_one()
    {
        var unchanged = Mutant.All.Select(mutant => mutant.Promise).Distinct().ToDictionary(promise => promise, promise => new MutableRun(promise).Judge());
        // Not all of them when one differs: the first difference is reported.
        var lines = Mutant.All.Select(mutant => Describe(mutant, unchanged[mutant.Promise]));
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            File.WriteAllLines(Path.Combine(Folder(), Approved), lines);
            return;
        }

        Assert.Equal(File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, Approved)), lines);
    }

    private static string Describe(Mutant mutant, Verdict unchanged)
    {
        var run = new MutableRun(mutant.Promise);
        mutant.Change(run);
        var verdict = run.Judge();
        var line = new StringBuilder($"{mutant.Name}: {verdict.Summary}");
        foreach (var count in Counts.Where(count => !Equals(count.GetValue(verdict), count.GetValue(unchanged))))
        {
            line.Append(CultureInfo.InvariantCulture, $" | {count.Name} {count.GetValue(verdict) ?? "none"}");
        }

        return line.ToString();
    }

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;
}
