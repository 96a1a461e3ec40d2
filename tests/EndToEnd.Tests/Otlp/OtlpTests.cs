using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests.Otlp;

/// <summary>What a collector is sent by a run and by its sender.</summary>
public sealed class OtlpTests
{
    private const int Events = 60;
    private const string Run = "--strategy=outloop --degree 4 --batch 10 --events 60 --profile none --no-metrics";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [EachFamily]
    public async Task A_batch_and_each_write_are_spans_that_lead_back_to_the_sender_of_the_event(string clients)
    {
        await using var receiver = await OtlpReceiver.StartAsync(Cancellation);

        var finished = await Programs.ConsumerAsync(
            $"{Run} --clients={clients} --run traced --otlp {receiver.Address} --otlp-signals traces",
            null,
            Cancellation
        );

        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Empty(receiver.Points);
        var sent = receiver.Spans.Where(static span => span.Resource["service.name"] == "eventhub-sender").ToList();
        var created = sent.Where(static span => span.Name.StartsWith("create ", StringComparison.Ordinal)).ToList();
        Assert.Equal(Events, created.Count);
        Assert.All(sent, static span => Assert.Equal("traced", span.Resource["service.instance.id"]));
        Assert.Equal(
            Events,
            sent.Where(static span => span.Name.StartsWith("send ", StringComparison.Ordinal)).Sum(static span => Count(span, "messaging.batch.message_count"))
        );

        var contexts = created.Select(static span => span.Trace + span.Id).Order().ToList();
        var received = receiver.Spans.Where(static span => span.Name.StartsWith("receive ", StringComparison.Ordinal)).ToDictionary(static span => span.Id);
        Assert.Equal(Events, received.Values.Sum(static span => Count(span, "messaging.batch.message_count")));
        Assert.Equal(contexts, received.Values.SelectMany(static span => span.Links).Order());
        Assert.All(received.Values, static span => Assert.Equal(("", "eventhubs"), (span.Parent, span.Attributes["messaging.system"])));

        var written = receiver.Spans.Where(static span => span.Name.StartsWith("process ", StringComparison.Ordinal)).ToList();
        foreach (var sink in new[] { "servicebus", "blob" })
        {
            var writes = written.Where(span => span.Attributes["eventhub.sink"] == sink).ToList();
            Assert.Equal(contexts, writes.Select(static span => Assert.Single(span.Links)).Order());
            Assert.All(writes, span => Assert.Contains(span.Links[0], received[span.Parent].Links));
            Assert.All(writes, span => Assert.Equal(received[span.Parent].Trace, span.Trace));
        }

        Assert.Equal(2 * Events, written.Count);
    }

    [Theory]
    [EachFamily]
    public async Task Metrics_have_the_names_of_the_conventions_and_the_last_figures_of_the_run(string clients)
    {
        await using var receiver = await OtlpReceiver.StartAsync(Cancellation);

        var finished = await Programs.ConsumerAsync(
            $"{Run} --clients={clients} --run measured --otlp {receiver.Address}/ --otlp-signals metrics",
            null,
            Cancellation
        );

        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Empty(receiver.Spans);
        Assert.Equal(Events, Sum(receiver, "messaging.client.sent.messages", "{message}"));
        Assert.Equal(Events, Sum(receiver, "messaging.client.consumed.messages", "{message}"));
        Assert.Equal(Events, Sum(receiver, "messaging.process.duration", "s"));
        Assert.Equal(0, Sum(receiver, "eventhub.lag", "{event}"));
        Assert.Equal(0, Sum(receiver, "eventhub.events.in_flight", "{event}"));
        Assert.Equal(0, Sum(receiver, "eventhub.watermark.gap", "{event}"));
        Assert.Equal(0, Sum(receiver, "eventhub.write.errors", "{attempt}"));
        Assert.True(Sum(receiver, "eventhub.checkpoints", "{checkpoint}") > 0);
        Assert.Equal(["checkpoint", "receive", "send"], Values(receiver, "messaging.client.operation.duration", "messaging.operation.name"));
        Assert.All(
            receiver.Points.Where(static point => point.Resource["service.name"] == "eventhub-consumer"),
            static point => Assert.Equal(("measured", "outloop"), (point.Resource["service.instance.id"], point.Resource["eventhub.strategy"]))
        );
        Assert.All(
            receiver.Points.Where(static point => point.Name.StartsWith("messaging.", StringComparison.Ordinal)),
            static point =>
                Assert.Equal(
                    ("eventhubs", "127.0.0.1", true),
                    (point.Attributes["messaging.system"], point.Attributes["server.address"], point.Attributes.ContainsKey("messaging.destination.name"))
                )
        );
    }

    [Theory]
    [EachFamily]
    public async Task An_absent_collector_is_reported_once_and_changes_no_result(string clients)
    {
        var finished = await Programs.ConsumerAsync($"{Run} --clients={clients} --otlp http://127.0.0.1:{FreePort.Next()}", null, Cancellation);

        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Contains("verdict: clean", finished.Output, StringComparison.Ordinal);
        Assert.Single(finished.Error.Split('\n'), static line => line.StartsWith("otlp: http://127.0.0.1:", StringComparison.Ordinal));
    }

    [Theory]
    [EachFamily]
    public async Task A_collector_that_never_answers_ends_no_later_than_its_limit(string clients)
    {
        // Accepts, by its backlog, and sends nothing.
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();

        var finished = await Programs.ConsumerAsync($"{Run} --clients={clients} --otlp http://{silent.LocalEndpoint}", null, Cancellation);

        Assert.True(finished.ExitCode == 0, finished.Error);
        Assert.Contains("verdict: clean", finished.Output, StringComparison.Ordinal);
    }

    private static int Count(ReceivedSpan span, string attribute) => int.Parse(span.Attributes[attribute], System.Globalization.CultureInfo.InvariantCulture);

    private static double Sum(OtlpReceiver receiver, string name, string unit)
    {
        var points = receiver.Points.Where(point => point.Name == name).ToList();
        Assert.NotEmpty(points);
        Assert.All(points, point => Assert.Equal(unit, point.Unit));
        return points.Sum(static point => point.Value);
    }

    private static IEnumerable<string> Values(OtlpReceiver receiver, string name, string attribute) =>
        receiver.Points.Where(point => point.Name == name).Select(point => point.Attributes[attribute]).Distinct().Order();
}
