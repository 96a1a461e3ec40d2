using System.Text.RegularExpressions;
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
        Assert.Empty(shown.Select(static line => line.Trim()).Where(line => !compiled.Contains(line)));
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

    [GeneratedRegex("```csharp\n(?<code>.*?)\n```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Code();
}
