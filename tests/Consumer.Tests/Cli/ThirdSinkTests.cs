using System.Collections.Concurrent;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>A further sink in the list is all that a run needs. It is written, tracked, measured and reported, and marked as not judged.</summary>
public sealed class ThirdSinkTests
{
    [Fact]
    public async Task A_third_sink_goes_through_a_whole_run()
    {
        var file = Path.Combine(Path.GetTempPath(), $"third-sink-{Guid.NewGuid():N}.json");
        var (output, error) = (new StringWriter(), new StringWriter());
        var console = new CommandConsole(output, TextWriter.Synchronized(error), static _ => null);
        var audit = new Audit();
        using var signals = new StopSignals(_ => { }, _ => { });
        var root = ConsumerCommand.Create(
            console,
            (options, given, _) =>
                RunComposition.RunAsync(
                    options with
                    {
                        Sinks = [.. SinkCatalog.All, new SinkDescriptor("audit", "What a test remembers.", _ => audit)],
                    },
                    given,
                    console,
                    signals,
                    TimeProvider.System
                )
        );
        try
        {
            var code = await root.Parse($"--strategy=combined --profile none --events 60 --no-metrics --output {file}")
                .InvokeAsync(cancellationToken: TestContext.Current.CancellationToken);

            Assert.True(code == 0, error.ToString());
            Assert.Equal(60, audit.Written.Distinct().Count());
            var said = output.ToString();
            Assert.Contains("verdict: clean (60 of 60", said, StringComparison.Ordinal);
            Assert.Contains("unjudged    audit: ledger and journal have no evidence", said, StringComparison.Ordinal);
            Assert.Matches(@"(?m)^audit +\d+ ", said);
            var result = await ResultJson.ReadRunAsync(file, TestContext.Current.CancellationToken);
            Assert.True(result.Stages["audit"].Count > 0);
            Assert.Equal(["audit"], result.Safety.Unjudged);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private sealed class Audit : ISink<ReceivedEvent>
    {
        public ConcurrentQueue<long> Written { get; } = new();

        public string Name => "audit";

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            Written.Enqueue(receivedEvent.SequenceNumber);
            return ValueTask.CompletedTask;
        }
    }
}
