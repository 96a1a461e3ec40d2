using System.Text.RegularExpressions;
using EventHubThroughput.Hosting;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>The guide of the library shows code that a test runs.</summary>
public sealed partial class LibraryTests
{
    private static readonly string[] Compiled =
    [
        "examples/Handler/Program.cs",
        "src/Processing.Azure/PACKAGE.md",
        "tests/Processing.Azure.Tests/Samples/ProcessorSamples.cs",
    ];

    [Fact]
    public void Lines_of_the_processor_are_those_of_programs_that_are_compiled()
    {
        var compiled = Compiled.SelectMany(static file => Document.Read(file).Split('\n')).Select(static line => line.Trim()).ToHashSet();
        var shown = Code().Matches(Document.Read("docs", "library-processor.md")).SelectMany(static block => block.Groups["code"].Value.Split('\n')).ToList();

        Assert.NotEmpty(shown);
        Assert.Equal([], shown.Select(static line => line.Trim()).Except(compiled));
    }

    [Theory]
    [InlineData("processor.ProcessEventAsync += pump.AcceptAsync;")]
    [InlineData("processor.PartitionClosingAsync += pump.CloseAsync;")]
    [InlineData("EventPump.ByKey<EventData>(one => one.PartitionKey, maxConcurrency:")]
    public void Lines_under_a_processor_are_those_of_the_test(string line)
    {
        Assert.Contains(line, Document.Read("docs", "library.md"), StringComparison.Ordinal);
        Assert.Contains(line, Document.Read("tests", "Pump.Azure.Tests", "PumpUnderProcessorTests.cs"), StringComparison.Ordinal);
    }

    /// <summary>What a reader copies is what a test builds on the packages, runs and kills.</summary>
    [Theory]
    [InlineData("Program.cs", "csharp", "docs/library-host.md")]
    [InlineData("Program.cs", "csharp", "src/Hosting/PACKAGE.md")]
    [InlineData("appsettings.json", "json", "docs/library-host.md")]
    public void The_program_in_a_host_is_the_example_word_for_word(string file, string language, string document)
    {
        var example = Document.Read("examples", "HostedHandler", file);
        Assert.Contains($"```{language}\n{example}```", Document.Read(document), StringComparison.Ordinal);
        Assert.InRange(example.Split('\n').Count(static line => line.Length > 0), 1, 15);
    }

    [Fact]
    public void Every_option_of_a_host_is_in_the_table_in_its_order() =>
        Assert.Equal(
            typeof(EventHubHostingOptions).GetProperties().Select(static property => property.Name),
            OptionRow()
                .Matches(Document.Read("docs", "library-host.md").Split("\n## ").Single(static part => part.StartsWith("Options\n", StringComparison.Ordinal)))
                .Select(static row => row.Groups["name"].Value)
        );

    [GeneratedRegex(@"^\| `(?<name>[A-Z]\w+)` \|", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex OptionRow();

    [GeneratedRegex("```csharp\n(?<code>.*?)\n```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Code();
}
