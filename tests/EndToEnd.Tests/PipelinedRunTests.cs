using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// A strategy that continues across batches, measured for real: at the rate that its degree and the latencies of the very same run allow. A clock
/// that stopped at batch ends would find much less.
/// </summary>
public sealed class PipelinedRunTests
{
    private const int Degree = 4;

    [Theory]
    [EachFamily]
    public async Task Six_hundred_events_are_measured_at_the_rate_that_the_latencies_of_the_run_predict(string clients)
    {
        using var folder = new TemporaryFolder();
        var file = folder.File("pipelined.json");
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        var console = new CommandConsole(output, TextWriter.Synchronized(error), static _ => null);
        using var signals = new StopSignals(_ => { }, _ => { });
        var root = ConsumerCommand.Create(
            console,
            (options, given, _) => RunComposition.RunAsync(options, given, console, signals, TimeProvider.System),
            AvailableComponents.Current
        );

        var code = await CommandHost.RunAsync(
            root,
            [$"--clients={clients}", "--strategy=pipelined", $"--degree={Degree}", "--events=600", "--prefetch=300", "--no-metrics", "--output", file],
            console,
            TestContext.Current.CancellationToken
        );

        Assert.True(code == 0, error.ToString());
        Assert.Contains("verdict: clean (600 of 600", output.ToString(), StringComparison.Ordinal);
        var results = JsonNode.Parse(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken))!;
        var eachMs = (double)results["stages"]!["event"]!["meanMs"]!;
        var predicted = Degree / (eachMs / 1000);
        var measured = (double)results["throughput"]!["eventsPerS"]!;
        Assert.Equal(Degree, (int)results["strategy"]!["degreeReached"]!["max"]!);
        Assert.True(measured / predicted is > 0.75 and < 1.25, $"{measured:0.0} events/s measured, {predicted:0.0} from {eachMs:0.00} ms an event\n{output}");
    }
}
