using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>The guide of the library shows code that a test runs.</summary>
public sealed class LibraryTests
{
    [Theory]
    [InlineData("processor.ProcessEventAsync += pump.AcceptAsync;")]
    [InlineData("processor.PartitionClosingAsync += pump.CloseAsync;")]
    [InlineData("EventPump.ByKey<EventData>(one => one.PartitionKey, maxConcurrency:")]
    public void Lines_under_a_processor_are_those_of_the_test(string line)
    {
        Assert.Contains(line, Document.Read("docs", "library.md"), StringComparison.Ordinal);
        Assert.Contains(line, Document.Read("tests", "Pump.Azure.Tests", "PumpUnderProcessorTests.cs"), StringComparison.Ordinal);
    }
}
