using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Consumer.Tests.Conviction.Recording;

/// <summary>The services as one process sees them. Once it is killed, nothing that it had under way goes on.</summary>
internal sealed class RecordedProcess(RecordedServices services, string client) : IMessageSender
{
    private readonly TaskCompletionSource never = new();
    private bool killed;
    private bool hasSent;
    private int cuts;

    public RecordedServices Services => services;

    /// <summary>The name under which it stores checkpoints.</summary>
    public string Client => client;

    public IBlobContainer Archive => new RecordedContainer(this, Place.Archive, "archive");

    public IBlobContainer DeadLetters => new RecordedContainer(this, Place.DeadLetters, "deadletters");

    /// <summary>Takes the partition from where the store says; whoever had it is not asked.</summary>
    /// <param name="fenced">Whether a checkpoint is refused when somebody else has stored one since.</param>
    public RecordedOwnership Take(bool fenced = true) => new(this, fenced);

    // The connection that brings messages is another one after each cut.
    private string Connection => cuts == 0 ? client : $"{client}/{cuts}";

    private (int, int) Epoch => (services.Restarts, cuts);

    /// <summary>The end without a last word.</summary>
    public void Kill()
    {
        Cut();
        killed = true;
    }

    /// <summary>The connection of the messages ends without a close.</summary>
    public void Cut()
    {
        if (hasSent)
        {
            services.Write(new ConnectionCut(Connection));
        }

        hasSent = false;
        cuts++;
    }

    public ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken) => new(SendBatchAsync([message], cancellationToken));

    /// <remarks>All are stored or none, as the service does.</remarks>
    public async Task SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        await LivingAsync();
        var records = messages.Select(RecordOf).ToList();
        hasSent = true;
        records.ForEach(services.Write);
        var arriving = messages.Select(message => ArriveAsync(Place.Queue, message.MessageId, '-', cancellationToken)).ToList();
        var effects = await Task.WhenAll(arriving);
        records.ForEach(record => services.Write(record with { Moment = WriteMoment.Stored }));
        await AnswerAsync(effects.Contains(Effect.AnswerLost) ? Effect.AnswerLost : Effect.None, cancellationToken);
        records.ForEach(record => services.Write(record with { Moment = WriteMoment.Answered }));
        if (effects.Contains(Effect.AnswerCutOff))
        {
            Cut();
            throw Ended();
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Ends never when it has been killed: not even its deadlines make it go on.</summary>
    public Task LivingAsync() => killed ? never.Task : Task.CompletedTask;

    /// <summary>The way to the service of an operation on the event that a name ends with; what fails there fails here.</summary>
    public Task<Effect> ArriveAsync(Place place, string name, char separator, CancellationToken cancellationToken) =>
        ArriveAsync(
            place,
            long.TryParse(name[(name.LastIndexOf(separator) + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) ? sequence : -1,
            cancellationToken
        );

    public async Task<Effect> ArriveAsync(Place place, long sequence, CancellationToken cancellationToken)
    {
        var effect = services.EffectOf(place, sequence);
        await StepAsync(cancellationToken);
        switch (effect)
        {
            case Effect.Refused:
                throw new MessagingException(FailureKind.Transient, $"{place} refused {sequence}");
            case Effect.TooLarge:
                throw new MessagingException(FailureKind.TooLarge, $"{place} holds nothing as large as {sequence}");
            case Effect.CancelledByTimeOut:
                throw new TaskCanceledException($"{place} timed out at {sequence}");
            case Effect.Slow:
                await services.Schedule.Clock.DelayAsync(TimeSpan.FromMilliseconds(200), cancellationToken);
                break;
            default:
                break;
        }

        return effect;
    }

    /// <summary>The way back.</summary>
    public async Task AnswerAsync(Effect effect, CancellationToken cancellationToken)
    {
        await StepAsync(cancellationToken);
        if (effect == Effect.AnswerLost)
        {
            throw new MessagingException(FailureKind.Transient, "the answer was lost");
        }
    }

    private MessageWritten RecordOf(OutgoingMessage message) =>
        new(
            WriteMoment.Begun,
            "queue",
            message.MessageId,
            RecordedServices.Hash(message.Body.Span),
            message.Body.Length,
            message.ContentType,
            RecordedServices.Hash(message.EncodedProperties.Span),
            RecordedServices.PropertiesOf(message.EncodedProperties),
            false
        )
        {
            Connection = Connection,
        };

    // What is under way when its connection or the emulator ends has no answer; which of them ended does not matter to it.
    private async Task StepAsync(CancellationToken cancellationToken)
    {
        var epoch = Epoch;
        await services.Schedule.PauseAsync(services.Latency, cancellationToken);
        await LivingAsync();
        if (Epoch != epoch)
        {
            throw Ended();
        }
    }

    private static MessagingException Ended() => new(FailureKind.Transient, "the connection ended");
}
