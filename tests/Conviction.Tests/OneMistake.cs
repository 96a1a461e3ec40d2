using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>Consumers without a mistake, but that one sink writes one of forty events otherwise.</summary>
internal static class OneMistake
{
    /// <summary>Every run is convicted, of exactly these charges.</summary>
    /// <param name="charges">The charges.</param>
    /// <param name="sink">The name of the sink.</param>
    /// <param name="mistake">Writes the event in place of the sink.</param>
    /// <param name="effects">What the services do to attempts at the event. Nothing by default.</param>
    public static void Convicts(
        string[] charges,
        string sink,
        Func<RecordedProcess, ISink<ReceivedEvent>, ReceivedEvent, Task> mistake,
        Func<Attempt, Effect>? effects = null
    ) =>
        Trial.Convicts(
            charges,
            async schedule =>
            {
                // Not the first, so that each has one before it.
                var victim = schedule.Random.Next(1, 40);
                var services = new RecordedServices(schedule, count: 40)
                {
                    Effects = attempt => attempt.Sequence == victim && effects is not null ? effects(attempt) : Effect.None,
                };
                var process = services.Start();
                await NaivePump.RunAsync(
                    process,
                    context => new CombinedStrategy(context),
                    batch: 10,
                    inner => inner.Name == sink ? new MistakenSink(inner, victim, (right, received) => new(mistake(process, right, received))) : inner
                );
                return services.Judge();
            }
        );

    /// <summary>The blob of one event is uploaded otherwise.</summary>
    public static void InTheBlobConvicts(string[] charges, Func<BlobUpload, BlobUpload> change) =>
        Convicts(
            charges,
            BlobSink.SinkName,
            (process, _, received) =>
                new BlobSink(new ChangedUploads(process.Archive, change), RecordedServices.Hub).WriteAsync(received, CancellationToken.None).AsTask()
        );

    /// <summary>The message of one event is sent otherwise.</summary>
    public static void InTheMessageConvicts(string[] charges, Func<OutgoingMessage, OutgoingMessage> change) =>
        Convicts(
            charges,
            ServiceBusSink.SinkName,
            (process, _, received) =>
                new ServiceBusSink(new ChangedMessages(process.Queue, change), RecordedServices.Hub).WriteAsync(received, CancellationToken.None).AsTask()
        );
}
