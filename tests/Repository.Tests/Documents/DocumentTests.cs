using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>docs/ against the facts.</summary>
public sealed partial class DocumentTests
{
    private static readonly string Method = Document.Flowing("docs", "method.md");

    [Fact]
    public void The_method_defines_the_rate_and_its_metrics()
    {
        Assert.Contains($"`{MetricNames.MeasuredEvents}`", Method, StringComparison.Ordinal);
        Assert.Contains($"`{MetricNames.MeasuredSeconds}`", Method, StringComparison.Ordinal);
        Assert.Contains("warm-up", Method, StringComparison.Ordinal);
    }

    [Fact]
    public void The_method_states_when_a_percentile_is_shown() => Assert.Contains("at least 10 samples are beyond them", Method, StringComparison.Ordinal);

    [Fact]
    public void The_ceiling_allows_the_rate_that_the_document_claims()
    {
        var results = Document.Flowing("docs", "results", "ceiling.md");
        var claim = Reach().Match(results);
        var ceiling = Assert.Single(Document.Rows(Document.Read("docs", "results", "ceiling.md"), "the whole job with a journal: .*"))[0];

        Assert.DoesNotContain("that any strategy could reach", results, StringComparison.Ordinal);
        Assert.True(claim.Success, "no rate is named together with its degree and its profile");
        Assert.InRange(
            3 * int.Parse(claim.Groups["rate"].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture),
            1,
            int.Parse(ceiling, CultureInfo.InvariantCulture)
        );
    }

    [Fact]
    public void A_table_that_is_cut_states_the_number_of_its_rows()
    {
        var soak = Document.Read("docs", "results", "soak.md");
        var measured = Document.Read("docs", "results", "data", "soak-1.csv").TrimEnd().Split('\n').Length - 1;

        Assert.Contains(
            string.Create(CultureInfo.InvariantCulture, $"{Document.Rows(soak, @"\d+").Count} of its {measured} rows"),
            soak,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("Azure.Messaging.EventHubs")]
    [InlineData("Azure.Messaging.EventHubs.Processor")]
    [InlineData("Azure.Messaging.ServiceBus")]
    [InlineData("Azure.Storage.Blobs")]
    [InlineData("Azure.Identity")]
    [InlineData("Microsoft.Azure.Amqp")]
    [InlineData("AsyncEnumerator")]
    public void Page_of_the_packages_names_the_versions_that_the_build_restores(string package)
    {
        var restored = XDocument
            .Load(RepositoryFiles.GetPath("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .Single(version => (string?)version.Attribute("Include") == package)
            .Attribute("Version")!
            .Value;

        var row = Assert.Single(Document.Rows(Document.Read("docs", "packages.md"), Regex.Escape(package)));
        Assert.Equal(restored, row[1]);
    }

    [Fact]
    public void Page_of_the_emulator_shows_the_fixture_that_a_test_runs()
    {
        var fixture = Document.Read("tests", "Emulator.Core.Tests", "Samples", "EmulatorFixture.cs");
        var shown = fixture[fixture.IndexOf("public sealed class", StringComparison.Ordinal)..];

        Assert.Contains($"```csharp\n{shown}```", Document.Read("docs", "emulator.md"), StringComparison.Ordinal);
        Assert.InRange(shown.Split('\n').Count(static line => line.Length > 0), 1, 12);
    }

    [GeneratedRegex(@"model: (?<rate>[\d,]+) events/s at degree \d+ on `[a-z-]+`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Reach();
}
