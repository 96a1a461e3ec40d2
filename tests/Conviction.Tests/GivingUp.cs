using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>Gives an event up, which a sink has refused for good.</summary>
/// <param name="process">The process.</param>
/// <param name="sink">The sink that has refused it.</param>
/// <param name="received">The event.</param>
internal delegate Task GiveUp(RecordedProcess process, ISink<ReceivedEvent> sink, ReceivedEvent received);

/// <summary>Consumers that give up one of forty events. The other sink has it by then, unless that one refuses it too.</summary>
internal static class GivingUp
{
    /// <summary>Stores the dead letter as the consumer does, into a container through which it goes changed.</summary>
    public static GiveUp Changed(Func<BlobUpload, BlobUpload> change) =>
        (process, sink, received) => StoreAsync(new ChangedUploads(process.DeadLetters, change), sink, received);

    /// <summary>Stores the dead letter as the consumer does.</summary>
    public static Task StoreAsync(RecordedProcess process, ISink<ReceivedEvent> sink, ReceivedEvent received) =>
        StoreAsync(process.DeadLetters, sink, received);

    /// <summary>Runs such a consumer to the end of the partition.</summary>
    /// <param name="schedule">Draws the event.</param>
    /// <param name="giveUp">Gives it up.</param>
    /// <param name="refusing">Where it is refused, the first time.</param>
    /// <returns>The services, with the process that has come to its end.</returns>
    public static async Task<(RecordedServices Services, RecordedProcess Process)> RunAsync(Schedule schedule, GiveUp giveUp, params Place[] refusing)
    {
        refusing = refusing.Length == 0 ? [Place.Queue] : refusing;
        var poison = schedule.Random.Next(40);
        var services = new RecordedServices(schedule, count: 40)
        {
            Effects = attempt => attempt.Number == 1 && attempt.Sequence == poison && refusing.Contains(attempt.Place) ? Effect.TooLarge : Effect.None,
        };
        var process = services.Start();
        await NaivePump.RunAsync(
            process,
            context => new BaselineStrategy(refusing[0] == Place.Queue ? context with { Sinks = [.. context.Sinks.Reverse()] } : context),
            batch: 10,
            sink => new GivesUp(process, sink, giveUp)
        );
        return (services, process);
    }

    private static Task StoreAsync(IBlobContainer container, ISink<ReceivedEvent> sink, ReceivedEvent received) =>
        new DeadLetterWriter(container, RecordedServices.Hub).StoreAsync(received, sink.Name, "too large", attempts: 1, CancellationToken.None);

    private sealed class GivesUp(RecordedProcess process, ISink<ReceivedEvent> inner, GiveUp giveUp) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            try
            {
                await inner.WriteAsync(receivedEvent, cancellationToken);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.TooLarge)
            {
                await giveUp(process, inner, receivedEvent);
            }
        }
    }
}
