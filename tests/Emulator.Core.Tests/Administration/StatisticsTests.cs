using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

public sealed class StatisticsTests : RunningEmulator
{
    [Fact]
    public async Task Stats_report_the_contents_and_the_connections()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await SendAsync(peer, "queue", "news");
        var stats = JsonNode.Parse(await GetAsync("/stats"))!;
        Assert.Equal((0, 1), ((int)stats["connections"]!["eventhubs"]!, (int)stats["connections"]!["servicebus"]!));
        Assert.Equal(Host.Budget.LimitBytes, (long)stats["memory"]!["limitBytes"]!);
        Assert.True((long)stats["memory"]!["usedBytes"]! > 0);
        Assert.Equal(("hub", 4, 0L), ((string)stats["hubs"]![0]!["name"]!, (int)stats["hubs"]![0]!["partitions"]!, (long)stats["hubs"]![0]!["events"]!));
        Assert.Equal(("queue", 1), ((string)stats["queues"]![0]!["name"]!, (int)stats["queues"]![0]!["active"]!));
        Assert.Equal(1, (int)stats["topics"]![0]!["subscriptions"]![0]!["active"]!);
        Assert.Equal(["archive"], stats["containers"]!.AsArray().Select(static container => (string)container!["name"]!));
        Assert.Equal("none", (string)stats["profile"]!);
    }

    [Fact]
    public async Task Metrics_show_the_same_figures()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await SendAsync(peer, "queue", "news");
        var text = await GetAsync("/metrics");
        Assert.Contains("\nemulator_queue_messages{queue=\"queue\",state=\"active\"} 1\n", text, StringComparison.Ordinal);
        Assert.Contains("\nemulator_connections{endpoint=\"servicebus\"} 1\n", text, StringComparison.Ordinal);
        Assert.Contains("\nemulator_hub_events{hub=\"hub\"} 0\n", text, StringComparison.Ordinal);
        Assert.Contains("\nemulator_container_blobs{container=\"archive\"} 0\n", text, StringComparison.Ordinal);
        Assert.Contains("\nprocess_cpu_seconds_total ", text, StringComparison.Ordinal);
        Assert.True(Host.Hubs.Delete("hub"));
        Assert.DoesNotContain("hub=\"hub\"", await GetAsync("/metrics"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Metrics_pass_promtool()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await SendAsync(peer, "queue");
        var (exitCode, output) = await Promtool.RunAsync(await GetAsync("/metrics"), "check", "metrics");
        Assert.Equal(string.Empty, output);
        Assert.Equal(0, exitCode);
    }

    private protected override EmulatorOptions Options() =>
        new()
        {
            Profile = LatencyProfiles.None,
            Entities = new EntitySet
            {
                Hubs = [new HubSettings("hub")],
                Queues = [new QueueSettings("queue")],
                Topics = [new TopicSettings("news") { Subscriptions = [new QueueSettings("all")] }],
                Containers = ["archive"],
            },
        };

    private static async Task SendAsync(Peer peer, params string[] entities)
    {
        foreach (var entity in entities)
        {
            await peer.PutTokenAsync(entity);
            var sender = await peer.SenderAsync(entity);
            await sender.SendAsync(
                new AmqpMessage
                {
                    Properties = new MessageProperties { MessageId = "m" },
                    Body = MessageBody.OfData(Encoding.UTF8.GetBytes("body")),
                }.Encode(),
                0,
                Cancellation
            );
        }
    }

    private async Task<string> GetAsync(string path)
    {
        using var client = new HttpClient();
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", MessagingConnectionString.Parse(EventHubs).Key);
        return await client.GetStringAsync(new Uri(Host.Settings["EMULATOR_ADMIN_URL"] + path), Cancellation);
    }
}
