using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

public sealed class StrategyAssemblyTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("assembly-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Gives_what_public_static_members_hold()
    {
        var own = StrategyAssembly.Load(typeof(OwnOfTests).Assembly.Location);

        var ofTests = Assert.Single(own, static strategy => strategy.Name == OwnOfTests.Descriptor.Name);
        Assert.NotSame(OwnOfTests.Descriptor, ofTests);
        Assert.Equal(OrderingGuarantee.None, ofTests.Ordering);
    }

    [Fact]
    public void Says_what_cannot_be_used()
    {
        var text = Path.Combine(folder.FullName, "text.dll");
        File.WriteAllText(text, "no assembly");
        var none = typeof(EventBatch).Assembly.Location;
        var missing = Path.Combine(folder.FullName, "missing.dll");

        Assert.Equal($"--strategy-assembly {missing}: no such file", WrongWith(missing));
        Assert.Equal($"--strategy-assembly {none}: has no public static property or field that holds a StrategyDescriptor", WrongWith(none));
        Assert.StartsWith($"--strategy-assembly {text}: cannot be loaded: ", WrongWith(text), StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_that_is_taken_is_refused() =>
        Assert.Equal(
            "--strategy-assembly: strategy 'outloop' has a name that is taken",
            Assert.Throws<UsageException>(static () => BuildOffer.Extend([StrategyCatalog.Find("outloop")])).Message
        );

    [Theory]
    [InlineData("", null)]
    [InlineData("run --strategy a", null)]
    [InlineData("--strategy-assembly", null)]
    [InlineData("--strategy-assembly a.dll --strategy b", "a.dll")]
    [InlineData("run --strategy-assembly=b.dll", "b.dll")]
    public void Is_found_on_a_command_line(string arguments, string? expected) =>
        Assert.Equal(expected, StrategyAssembly.NamedIn(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)));

    private static string WrongWith(string file) => Assert.Throws<UsageException>(() => StrategyAssembly.Load(file)).Message;
}

/// <summary>What an assembly that is named offers.</summary>
public static class OwnOfTests
{
    /// <summary>A strategy under a name of its own.</summary>
    public static StrategyDescriptor Descriptor { get; } = StrategyCatalog.Find("combined") with { Name = "own-of-tests" };
}
