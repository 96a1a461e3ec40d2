using System.Globalization;
using System.Reflection;
using EventHubThroughput.Conviction.Tests.KnownBad;
using EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>docs/results/known-bad.md against the consumers that there are.</summary>
public sealed class KnownBadDocumentTests
{
    private static readonly string Method = Document.Flowing("docs", "method.md");

    [Fact]
    public void As_many_known_bad_consumers_are_claimed_as_there_are()
    {
        // One for each class, except for the class whose every fact is another mistake.
        var classes = typeof(ChecksFirstTests)
            .Assembly.GetTypes()
            .Where(type => type.Namespace == typeof(ChecksFirstTests).Namespace && type is { IsPublic: true, IsNested: false })
            .ToArray();
        var facts = typeof(WritesWrongCopiesTests)
            .GetMethods()
            .Count(method => method.GetCustomAttribute<FactAttribute>() is { } fact && fact is not TheoryAttribute);
        var consumers = classes.Length - 1 + facts;

        // A row with three parts, separated by semicolons, counts as three.
        var listed = Document
            .Rows(Document.Read("docs", "results", "known-bad.md"), @"KB\d+|")
            .Where(row => row.Length == 4 && row[0] != "what it does")
            .Sum(row => row[0].Split(';').Length);
        Assert.Equal(consumers, listed);
        Assert.Contains(string.Create(CultureInfo.InvariantCulture, $" {consumers} consumers that are intentionally broken"), Method, StringComparison.Ordinal);
    }

    [Fact]
    public void As_many_consumers_written_from_verify_are_claimed_as_there_are()
    {
        // Each fact and each row of a theory is one, except for those of clean runs.
        var consumers = typeof(BreaksItsOrderTests)
            .Assembly.GetTypes()
            .Where(static type => type.Namespace == typeof(BreaksItsOrderTests).Namespace)
            .SelectMany(static type => type.GetMethods())
            .Where(static method => !method.Name.Contains("clean", StringComparison.Ordinal))
            .Sum(static method =>
                method.GetCustomAttribute<FactAttribute>() is null ? 0 : Math.Max(1, method.GetCustomAttributes<InlineDataAttribute>().Count())
            );

        var claimed = string.Create(CultureInfo.InvariantCulture, $"{consumers} consumers that were written from");
        Assert.Contains(claimed, Document.Flowing("docs", "results", "known-bad.md"), StringComparison.Ordinal);
        Assert.Contains(claimed, Method, StringComparison.Ordinal);
    }
}
