using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Endpoints;

/// <summary>An emulator of its own process, killed in the middle of its work: what it acknowledged is there again.</summary>
public sealed class KilledEmulatorTests : IDisposable
{
    private const int Limit = 120_000;
    private const string Address = "hub/Partitions/0";

    private readonly string _folder = Directory.CreateTempSubdirectory("eht-killed").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory(Timeout = Limit)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Every_acknowledged_event_survives_a_kill_in_its_order_and_once(int seed)
    {
        var random = new Random(seed);
        var acknowledged = new List<int>();
        var next = 0;
        for (var life = 0; life < 3; life++)
        {
            using var emulator = await StartAsync();
            await using var peer = await ConnectAsync(emulator);
            var stored = await ReadAsync(peer);
            Assert.Equal(acknowledged, stored.Intersect(acknowledged));
            Assert.Equal(stored.Distinct(), stored);
            var killAfter = acknowledged.Count + random.Next(20, 300);
            var sender = await peer.SenderAsync(Address);
            var underWay = new Queue<(int Number, Task<DeliveryState> Outcome)>();
            while (acknowledged.Count < killAfter)
            {
                while (underWay.Count < 20)
                {
                    var number = next++;
                    underWay.Enqueue((number, sender.SendAsync(Encoded.Message(number.ToString(CultureInfo.InvariantCulture)), 0, Cancellation).AsTask()));
                }

                var (first, outcome) = underWay.Dequeue();
                Assert.IsType<Accepted>(await outcome);
                acknowledged.Add(first);
            }

            emulator.Process.Kill();
            await emulator.Process.WaitForExitAsync(Cancellation);
            foreach (var (number, outcome) in underWay)
            {
                // Answered before the end, or lost with it: then it may be stored or not.
                try
                {
                    await outcome;
                    acknowledged.Add(number);
                }
                catch (AmqpException)
                {
                }
            }
        }

        using var last = await StartAsync();
        await using var reader = await ConnectAsync(last);
        Assert.Equal(acknowledged, (await ReadAsync(reader)).Intersect(acknowledged));
    }

    private static async Task<Peer> ConnectAsync(Running emulator)
    {
        var peer = await Peer.ConnectAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"]);
        Assert.Equal(202, await peer.PutTokenAsync("hub"));
        return peer;
    }

    // From the first event to the last one that the partition says it has.
    private static async Task<List<int>> ReadAsync(Peer peer)
    {
        var request = new AmqpMap
        {
            { "operation", "READ" }, { "type", "com.microsoft:partition" }, { "name", "hub" }, { "partition", "0" }, { "security_token", peer.Token("hub") },
        };
        var state = (AmqpMap)(await peer.RequestAsync("$management", request, default)).Body.Value!;
        var count = (int)(long)state["last_enqueued_sequence_number"]! + 1;
        var receiver = await peer.ReceiverAsync("hub/ConsumerGroups/$Default/Partitions/0", (uint)count + 1);
        var found = new List<int>();
        for (var i = 0; i < count; i++)
        {
            var message = AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload);
            Assert.Equal((long)i, message.MessageAnnotations!.Find("x-opt-sequence-number"));
            found.Add(int.Parse(Encoded.TextOf(message), CultureInfo.InvariantCulture));
        }

        return found;
    }

    private async Task<Running> StartAsync()
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "emulator.exe" : "emulator"))
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        foreach (var argument in (string[])["--exit-with-stdin", "--data", _folder])
        {
            start.ArgumentList.Add(argument);
        }

        var process = Process.Start(start)!;
        var line = await process.StandardOutput.ReadLineAsync(Cancellation)
            ?? throw new InvalidOperationException($"the emulator did not start: {await process.StandardError.ReadToEndAsync(Cancellation)}");
        return new Running(process, JsonSerializer.Deserialize<Dictionary<string, string>>(line)!);
    }

    private sealed record Running(Process Process, Dictionary<string, string> Settings) : IDisposable
    {
        public void Dispose()
        {
            if (!Process.HasExited)
            {
                Process.Kill();
            }

            Process.Dispose();
        }
    }
}
