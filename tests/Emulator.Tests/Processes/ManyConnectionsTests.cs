using System.Collections.Concurrent;
using System.Net.Http.Headers;
using System.Text.Json;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>A thousand concurrent connections to the executable, each with a token and a link, all of them served. It ends beside them.</summary>
public sealed class ManyConnectionsTests
{
    private const int Each = 500;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_thousand_connections_are_served_and_do_not_keep_it_from_ending()
    {
        await using var emulator = await EmulatorProcess.StartAsync("--memory-limit 256");
        var senders = await ConnectAsync(emulator, "EVENTHUB_CONNECTION_STRING", "hub");
        var receivers = await ConnectAsync(emulator, "SERVICEBUS_CONNECTION_STRING", "queue");
        try
        {
            Assert.Equal((Each, Each), await CountAsync(emulator));

            var waiting = await AllAsync(receivers, static async peer => await peer.ReceiverAsync("queue", 1));
            var links = await AllAsync(senders, static async peer => await peer.SenderAsync("hub"));
            Assert.All(
                await AllAsync(links, static async link => await link.SendAsync(Encoded.Message("event"), 0, Cancellation)),
                static outcome => Assert.IsType<Accepted>(outcome)
            );

            // Each receiver has asked for one message: all of them are given one, and none two.
            var sender = await receivers[0].SenderAsync("queue");
            foreach (var number in Enumerable.Range(0, Each))
            {
                Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message($"message {number}"), 0, Cancellation));
            }

            var received = await AllAsync(waiting, static async link => Convert.ToHexString((await link.ReceiveAsync(Cancellation)).Payload.Span));
            Assert.Equal(Each, received.Distinct().Count());

            await emulator.SignalAsync("TERM");
            Assert.Equal(0, (await emulator.EndAsync()).ExitCode);
        }
        finally
        {
            await AllAsync(
                [.. senders, .. receivers],
                static async peer =>
                {
                    await peer.DisposeAsync();
                    return true;
                }
            );
        }
    }

    private static async Task<IReadOnlyList<Peer>> ConnectAsync(EmulatorProcess emulator, string setting, string entity) =>
        await AllAsync(
            [.. Enumerable.Range(0, Each)],
            async _ =>
            {
                var peer = await Peer.ConnectAsync(emulator.Settings[setting]);
                Assert.Equal(202, await peer.PutTokenAsync(entity));
                return peer;
            }
        );

    private static async Task<(int EventHubs, int ServiceBus)> CountAsync(EmulatorProcess emulator)
    {
        using var http = new HttpClient();
        var key = MessagingConnectionString.Parse(emulator.Settings["EVENTHUB_CONNECTION_STRING"]).Key!;
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        using var statistics = JsonDocument.Parse(await http.GetStringAsync(new Uri(emulator.Settings["EMULATOR_ADMIN_URL"] + "/stats"), Cancellation));
        var connections = statistics.RootElement.GetProperty("connections");
        return (connections.GetProperty("eventhubs").GetInt32(), connections.GetProperty("servicebus").GetInt32());
    }

    private static async Task<IReadOnlyList<TResult>> AllAsync<T, TResult>(IReadOnlyList<T> all, Func<T, Task<TResult>> each)
    {
        var results = new ConcurrentQueue<TResult>();
        var options = new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = Cancellation };
        await Parallel.ForEachAsync(all, options, async (one, _) => results.Enqueue(await each(one)));
        return [.. results];
    }
}
