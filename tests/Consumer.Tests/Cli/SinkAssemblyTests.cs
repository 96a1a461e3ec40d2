using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>Custom sinks and handlers.</summary>
public sealed class SinkAssemblyTests
{
    private static readonly string Own = typeof(SinksOfTests).Assembly.Location;

    [Fact]
    public void Gives_what_public_static_members_hold() =>
        Assert.Equal(["a-second-one", "handler-of-tests"], SinkAssembly.Load(Own).Select(static sink => sink.Name));

    [Fact]
    public void An_unusable_sink_assembly_is_reported()
    {
        var none = typeof(EventBatch).Assembly.Location;

        Assert.Equal("--sink-assembly missing.dll: no such file", Assert.Throws<UsageException>(static () => SinkAssembly.Load("missing.dll")).Message);
        Assert.Equal(
            $"--sink-assembly {none}: has no public static property or field that holds a SinkDescriptor",
            Assert.Throws<UsageException>(() => SinkAssembly.Load(none)).Message
        );
    }

    [Fact]
    public void Custom_sink_can_be_compared_with_the_others()
    {
        var components = AvailableComponents.With().WithSinks(new CustomSinks("mine.dll", [SinksOfTests.Handler]));

        var read = GetReader(components).Read("--strategies", ["combined", "combined:sink=handler-of-tests"]);

        Assert.Equal([SinkCatalog.All, [.. SinkCatalog.All, SinksOfTests.Handler]], read.Select(static one => one.Options.Sinks));
        Assert.Equal([null, "mine.dll"], read.Select(static one => one.Options.SinkAssembly));
    }

    [Fact]
    public void A_sink_that_no_assembly_offers_is_refused()
    {
        Assert.Equal("--strategies 'combined:sink=mine': --sink 'mine': unknown, no --sink-assembly is named", WrongWith(AvailableComponents.With()));
        Assert.Equal(
            "--strategies 'combined:sink=mine': --sink 'mine': unknown, --sink-assembly has handler-of-tests",
            WrongWith(AvailableComponents.With().WithSinks(new CustomSinks("mine.dll", [SinksOfTests.Handler])))
        );
    }

    private static LoadOptions Load => new(600, 1, "none", BodySizes.Usual, 0, null);

    private static ComparedConfigurationReader GetReader(AvailableComponents components)
    {
        var processing = new ProcessingArguments(components);
        var command = new Command("test");
        foreach (var option in processing.OfEach)
        {
            command.Options.Add(option);
        }

        return new ComparedConfigurationReader(components, processing, CommandHost.Parse(command, []).CommandResult, Load);
    }

    private static string WrongWith(AvailableComponents components) =>
        Assert.Throws<UsageException>(() => GetReader(components).Read("--strategies", ["combined:sink=mine"])).Message;
}

/// <summary>What an assembly that is named offers.</summary>
public static class SinksOfTests
{
    /// <summary>A handler that has nothing to do.</summary>
    public static SinkDescriptor Handler { get; } = SinkDescriptor.Of(static (_, _) => ValueTask.CompletedTask, "handler-of-tests");

    /// <summary>Another one, among several.</summary>
    public static IReadOnlyList<SinkDescriptor> Further { get; } = [SinkDescriptor.Of(static (_, _) => ValueTask.CompletedTask, "a-second-one")];
}
