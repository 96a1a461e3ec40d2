using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;
using EventHubThroughput.Repository.Builds.Library;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Kafka;

/// <summary>The example of a pump under Confluent.Kafka, against the mock cluster of librdkafka.</summary>
[Collection<PackedExamplesCollection>]
public sealed class KafkaConsumerTests(PackedExamples examples)
{
    private const int Events = 3000;
    private const string Group = "orders";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_pump_under_a_consumer_that_is_killed_commits_no_offset_above_an_event_that_is_not_handled()
    {
        using var cluster = new MockCluster();
        var sent = await cluster.SendAsync(Events, Cancellation);
        HashSet<(string, long)> handled = [];

        await using (var victim = Start(cluster))
        {
            await HandledLines.ReadAsync(victim, handled, until: Events / 3, Cancellation);
            victim.Kill();
            Assert.Equal(137, (await victim.EndAsync(Cancellation)).ExitCode);
            await HandledLines.ReadAsync(victim, handled, until: int.MaxValue, Cancellation);
        }

        Assert.InRange(handled.Count, Events / 3, Events - 1);
        var committed = cluster.ReadCommitted(Group);
        Assert.NotEmpty(committed);
        Assert.All(sent.Where(one => one.Offset < committed.GetValueOrDefault(one.Partition)), one => Assert.Contains(one, handled));

        await using var second = Start(cluster);
        await HandledLines.ReadAsync(second, handled, until: Events, Cancellation);
        await second.SignalAsync("TERM");
        var ended = await second.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);

        Assert.Equal(sent.Order(), handled.Order());
        Assert.Equal(sent.GroupBy(one => one.Partition).ToDictionary(part => part.Key, part => part.Max(one => one.Offset) + 1), cluster.ReadCommitted(Group));
    }

    private RunningProcess Start(MockCluster cluster) =>
        Programs.Start(examples.GetProgram("KafkaConsumer"), $"{cluster.BootstrapServers} {MockCluster.Topic}", settings: null, byLine: true);
}
