using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>Whole runs of a handler alone, judged by what it acknowledges.</summary>
public sealed class HandlerAloneTests
{
    private const int FailingEvery = 7;

    private int calls;

    [Theory]
    [InlineData("combined")]
    [InlineData("pipelined --checkpoint-events 10")]
    public async Task A_run_that_tries_failed_events_again_is_clean(string strategy)
    {
        var (code, output, error) = await RunAsync($"--strategy={strategy}");

        Assert.True(code == 0, error);
        Assert.Contains("verdict: clean (60 of 60 acknowledged by the handler in the consumer's own record", output, StringComparison.Ordinal);
        Assert.DoesNotContain("unjudged", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_strategy_that_passes_failed_events_is_convicted()
    {
        var (code, output, _) = await RunAsync("--strategy=whenall --unsafe");

        Assert.Equal(3, code);
        Assert.Matches("verdict: FAILED \\(lost 8, first: .*not acknowledged by every handler; checkpointAhead ", output);
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(string line)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var console = new CommandConsole(output, TextWriter.Synchronized(error), static _ => null);
        using var signals = new StopSignals(_ => { }, _ => { });
        var root = ConsumerCommand.Create(
            console,
            (options, given, _) =>
                RunComposition.RunAsync(options with { Sinks = [SinkDescriptor.Of(HandleAsync, "mine")] }, given, console, signals, TimeProvider.System)
        );
        var code = await root.Parse($"{line} --profile none --events 60 --no-metrics").InvokeAsync(cancellationToken: TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }

    private ValueTask HandleAsync(ReceivedEvent one, CancellationToken cancellationToken) =>
        Interlocked.Increment(ref calls) % FailingEvery == 0 ? throw new InvalidOperationException("not available") : ValueTask.CompletedTask;
}
