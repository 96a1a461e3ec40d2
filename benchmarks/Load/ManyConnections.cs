using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>Measures the emulator's cost of a thousand connections, and whether it ends in time with them.</summary>
internal static class ManyConnections
{
    // Two connections each: one to Event Hubs, one to Service Bus.
    private const int Clients = 500;
    private const int Connecting = 16;

    private static readonly byte[] Body = new byte[1_024];

    public static async Task<string> MeasureAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorProcess.StartAsync(CeilingLoads.RetentionBytes, null, [], clock, cancellationToken);
        var before = emulator.ResidentBytes;
        var crowd = new Connected[Clients];
        var start = clock.GetTimestamp();
        await Parallel.ForAsync(
            0,
            Clients,
            new ParallelOptions { MaxDegreeOfParallelism = Connecting, CancellationToken = cancellationToken },
            async (number, token) =>
            {
                crowd[number] = new Connected(emulator.CreateClients(ClientFamily.BuiltIn), emulator.Settings["SERVICEBUS_QUEUE"]);
                await crowd[number].SendAsync(token);
            }
        );
        var opened = clock.GetElapsedTime(start);
        start = clock.GetTimestamp();
        await Task.WhenAll(crowd.Select(one => one.SendAsync(cancellationToken)));
        var sent = clock.GetElapsedTime(start);
        var resident = emulator.ResidentBytes;
        start = clock.GetTimestamp();
        await emulator.DisposeAsync();
        var ended = clock.GetElapsedTime(start);
        await Task.WhenAll(crowd.Select(static one => one.DisposeAsync().AsTask()));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{2 * Clients} connections: opened and used in {opened.TotalSeconds:F1} s, all at once sending in {sent.TotalSeconds:F2} s, resident {resident / 1e6:F0} MB, {before / 1e6:F0} MB before; told to end beside them, it ends in {ended.TotalSeconds:F2} s"
        );
    }

    /// <summary>A client with a connection to each messaging service.</summary>
    private sealed class Connected(IMessagingClients clients, string queue) : IAsyncDisposable
    {
        private readonly IEventHubWriter _writer = clients.CreateEventHubWriter();
        private readonly IMessageSender _sender = clients.CreateMessageSender(queue);

        public async Task SendAsync(CancellationToken cancellationToken)
        {
            var batch = await _writer.CreateBatchAsync(null, null, cancellationToken);
            batch.TryAdd(new OutgoingEvent { Body = Body });
            await Task.WhenAll(
                _writer.SendAsync(batch, cancellationToken),
                _sender.SendAsync(new OutgoingMessage { MessageId = $"{Guid.NewGuid():n}", Body = Body }, cancellationToken).AsTask()
            );
        }

        public async ValueTask DisposeAsync()
        {
            await _writer.DisposeAsync();
            await _sender.DisposeAsync();
            await clients.DisposeAsync();
        }
    }
}
