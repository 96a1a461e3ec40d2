using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>Writes to all three services of an emulator that may die at any moment, and remembers what was acknowledged.</summary>
internal sealed class AcknowledgedWrites
{
    private static readonly TimeSpan ReadLimit = TimeSpan.FromSeconds(60);

    private readonly ConcurrentDictionary<string, byte> _events = new();
    private readonly ConcurrentDictionary<string, byte> _messages = new();
    private readonly ConcurrentDictionary<string, byte> _completing = new();
    private readonly ConcurrentDictionary<string, byte> _completed = new();
    private readonly ConcurrentDictionary<string, byte> _blobs = new();
    private int _lastId;

    private int Count => _events.Count + _messages.Count + _blobs.Count;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public override string ToString() => $"{_events.Count} events, {_messages.Count} messages ({_completed.Count} completed), {_blobs.Count} blobs";

    /// <summary>Writes until this number of further writes was acknowledged, kills the emulator, and lets the writers notice.</summary>
    public async Task WriteAndKillAsync(EmulatorProcess emulator, int acknowledgements)
    {
        var enough = Count + acknowledgements;
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task[] writers =
        [
            WriteAsync(() => SendAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"], "hub", _events, Check)),
            WriteAsync(() => SendAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"], "queue", _messages, Check)),
            WriteAsync(() => CompleteAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"])),
            WriteAsync(() => UploadAsync(emulator.Settings, Check)),
        ];
        await reached.Task.WaitAsync(ReadLimit, TimeProvider.System, Cancellation);
        emulator.Kill();
        await emulator.EndAsync();
        await Task.WhenAll(writers).WaitAsync(ReadLimit, TimeProvider.System, Cancellation);

        void Check()
        {
            if (Count >= enough)
            {
                reached.TrySetResult();
            }
        }
    }

    /// <summary>Everything that was acknowledged is there, once, and completed messages are gone. The journal has all of it, once.</summary>
    public async Task VerifyAsync(EmulatorProcess emulator, string journal)
    {
        var events = new List<string>();
        await using (var peer = await Peer.ConnectAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"]))
        {
            await peer.PutTokenAsync("hub");
            for (var partition = 0; partition < 4; partition++)
            {
                events.AddRange(await ReadPartitionAsync(peer, partition));
            }
        }

        var records = JournalFile.Open(journal).Records.ToList();
        AssertOnce(events, _events.Keys);
        AssertOnce(
            [.. records.OfType<EventAppended>().Select(static record => record.Sha256)],
            events.Select(static id => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(id))))
        );

        var messages = await PeekAllAsync(emulator.Settings["SERVICEBUS_CONNECTION_STRING"]);
        AssertOnce(messages, _messages.Keys.Except(_completing.Keys));
        AssertOnce(
            [.. records.OfType<MessageWritten>().Where(static record => record.Moment == WriteMoment.Stored).Select(static record => record.MessageId)],
            messages.Union(_messages.Keys)
        );
        Assert.Empty(_completed.Keys.Intersect(messages));

        await using var clients = GetClients(emulator.Settings);
        var blobs = await clients.GetBlobContainer("archive").ListAsync(prefix: null, Cancellation).Select(static blob => blob.Name).ToListAsync(Cancellation);
        AssertOnce(blobs, _blobs.Keys);
        AssertOnce([.. records.OfType<BlobWritten>().Where(static record => record.Moment == WriteMoment.Stored).Select(static record => record.Name)], blobs);
        foreach (var name in _blobs.Keys)
        {
            Assert.Equal(name, Encoding.UTF8.GetString((await clients.GetBlobContainer("archive").DownloadAsync(name, Cancellation)).Span));
        }
    }

    private static void AssertOnce(List<string> found, IEnumerable<string> expected)
    {
        Assert.Equal(found.Count, found.Distinct(StringComparer.Ordinal).Count());
        Assert.Empty(expected.Except(found));
    }

    private static async Task WriteAsync(Func<Task> write)
    {
        try
        {
            await write();
        }
        catch (Exception exception) when (exception is AmqpException or MessagingException or IOException)
        {
            // The emulator is gone. Operations in flight are neither acknowledged nor refused.
        }
    }

    private static BuiltInClients GetClients(IReadOnlyDictionary<string, string> settings) =>
        new(
            MessagingSettings.FromEnvironment(settings.GetValueOrDefault, SettingsScope.Consumer).Settings!,
            new BuiltInClientOptions { Retry = new RetryOptions { UnreachableLimit = TimeSpan.FromMilliseconds(200) } }
        );

    private async Task SendAsync(string connectionString, string address, ConcurrentDictionary<string, byte> acknowledged, Action done)
    {
        await using var peer = await Peer.ConnectAsync(connectionString);
        await peer.PutTokenAsync(address);
        var sender = await peer.SenderAsync(address);

        // Several concurrently, so that the kill meets writes in every state.
        await Task.WhenAll(
            Enumerable
                .Range(0, 8)
                .Select(async _ =>
                {
                    while (true)
                    {
                        var id = $"{address}-{Interlocked.Increment(ref _lastId)}";
                        var message = new AmqpMessage
                        {
                            Properties = new MessageProperties { MessageId = id },
                            Body = MessageBody.OfData(Encoding.UTF8.GetBytes(id)),
                        };
                        Assert.IsType<Accepted>(await sender.SendAsync(message.Encode(), 0, Cancellation));
                        acknowledged.TryAdd(id, 0);
                        done();
                    }
                })
        );
    }

    private async Task CompleteAsync(string connectionString)
    {
        await using var peer = await Peer.ConnectAsync(connectionString);
        await peer.PutTokenAsync("queue");
        var receiver = await peer.ReceiverAsync("queue", 1, SenderSettleMode.Unsettled, ReceiverSettleMode.Second);
        while (true)
        {
            var delivery = await receiver.ReceiveAsync(Cancellation);
            var id = (string)AmqpMessage.Decode(delivery.Payload).Properties!.MessageId!;
            _completing.TryAdd(id, 0);
            Assert.IsType<Accepted>(await receiver.SettleAsync(delivery, Accepted.Instance, Cancellation));
            _completed.TryAdd(id, 0);
            receiver.AddCredit(1);
        }
    }

    private static async Task<List<string>> ReadPartitionAsync(Peer peer, int partition)
    {
        var request = new AmqpMap
        {
            { "operation", "READ" },
            { "name", "hub" },
            { "type", "com.microsoft:partition" },
            { "partition", $"{partition}" },
        };
        var state = (AmqpMap)(await peer.RequestAsync("$management", request, MessageBody.OfValue(null))).Body.Value!;
        var count = (long)state["last_enqueued_sequence_number"]! - Math.Max(0, (long)state["begin_sequence_number"]!) + 1;
        var receiver = await peer.ReceiverAsync($"hub/ConsumerGroups/$Default/Partitions/{partition}", 1_000);
        var ids = new List<string>();
        using var limit = new CancellationTokenSource(ReadLimit, TimeProvider.System);
        while (ids.Count < count)
        {
            ids.Add((string)AmqpMessage.Decode((await receiver.ReceiveAsync(limit.Token)).Payload).Properties!.MessageId!);
            receiver.AddCredit(1);
        }

        await receiver.DisposeAsync();
        return ids;
    }

    private static async Task<List<string>> PeekAllAsync(string connectionString)
    {
        await using var peer = await Peer.ConnectAsync(connectionString);
        await peer.PutTokenAsync("queue");
        var ids = new List<string>();
        var next = 1L;
        while (true)
        {
            var page = await peer.RequestAsync(
                "queue/$management",
                new AmqpMap { { "operation", "com.microsoft:peek-message" } },
                MessageBody.OfValue(new AmqpMap { { "from-sequence-number", next }, { "message-count", 500 } })
            );
            if (page.Body.Value is not AmqpMap { Count: > 0 } body)
            {
                return ids;
            }

            foreach (var item in (AmqpList)body["messages"]!)
            {
                var message = AmqpMessage.Decode((ReadOnlyMemory<byte>)((AmqpMap)item!)["message"]!);
                ids.Add((string)message.Properties!.MessageId!);
                next = (long)message.MessageAnnotations![new AmqpSymbol("x-opt-sequence-number")]! + 1;
            }
        }
    }

    private async Task UploadAsync(IReadOnlyDictionary<string, string> settings, Action done)
    {
        await using var clients = GetClients(settings);
        var container = clients.GetBlobContainer("archive");
        while (true)
        {
            var name = $"blob-{Interlocked.Increment(ref _lastId)}";
            await container.UploadAsync(new BlobUpload { Name = name, Content = Encoding.UTF8.GetBytes(name) }, Cancellation);
            _blobs.TryAdd(name, 0);
            done();
        }
    }
}
