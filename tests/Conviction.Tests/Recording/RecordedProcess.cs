using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>The services as one process sees them. Once it is killed, none of its operations in flight continues.</summary>
internal sealed class RecordedProcess(RecordedServices services, string client)
{
    private readonly TaskCompletionSource never = new();
    private bool killed;
    private bool hasSent;
    private int cuts;

    public RecordedServices Services => services;

    /// <summary>The name under which it stores checkpoints.</summary>
    public string Client => client;

    public IMessageSender Queue => SenderTo("queue");

    public IBlobContainer Archive => Container("archive");

    public IBlobContainer DeadLetters => new RecordedContainer(this, Place.DeadLetters, "deadletters");

    // The connection that brings messages is another one after each cut.
    private string Connection => cuts == 0 ? client : $"{client}+{cuts}";

    public IMessageSender SenderTo(string entity) => new RecordedQueue(this, entity);

    public IBlobContainer Container(string name) => new RecordedContainer(this, Place.Archive, name);

    /// <summary>Takes the partition from the position of the store, without the consent of its owner.</summary>
    /// <param name="fenced">Whether a checkpoint is refused when another owner has stored one since.</param>
    /// <param name="reader">The name of its reader, or null for none, unless the services name readers.</param>
    /// <param name="group">The consumer group that it reads in.</param>
    public RecordedOwnership Take(bool fenced = true, string? reader = null, string group = RecordedServices.Group) => new(this, fenced, reader, group);

    /// <summary>The end without a last word.</summary>
    public void Kill()
    {
        Cut();
        killed = true;
    }

    /// <summary>The connection of the messages ends without a close. What has no answer yet fails, and a new connection takes its place.</summary>
    public void Cut()
    {
        if (hasSent)
        {
            services.Write(new ConnectionCut(Connection));
        }

        Reconnect();
    }

    /// <summary>Another connection takes the place of the one that is gone.</summary>
    public void Reconnect()
    {
        hasSent = false;
        cuts++;
    }

    /// <summary>A message leaves. Returns the name of the connection that carries it.</summary>
    public string Send()
    {
        hasSent = true;
        return Connection;
    }

    /// <summary>Fails when the connection of a request is gone, and ends never when the process has been killed.</summary>
    public async Task EnsureConnectedAsync(string connection)
    {
        await LivingAsync();
        if (connection != Connection)
        {
            throw new MessagingException(FailureKind.Transient, $"connection {connection} was cut");
        }
    }

    /// <summary>Never ends after a kill: not even its deadlines make it continue.</summary>
    public Task LivingAsync() => killed ? never.Task : Task.CompletedTask;

    /// <summary>The way to the service of an operation on the event that a name ends with. A failure there fails here.</summary>
    public Task<Effect> ArriveAsync(Place place, string name, char separator, CancellationToken cancellationToken) =>
        ArriveAsync(
            place,
            long.TryParse(name[(name.LastIndexOf(separator) + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) ? sequence : -1,
            cancellationToken
        );

    public async Task<Effect> ArriveAsync(Place place, long sequence, CancellationToken cancellationToken)
    {
        var effect = services.GetEffect(place, sequence);
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
        if (effect == Effect.AnsweredLate)
        {
            await services.Schedule.Clock.DelayAsync(services.LateAnswer, cancellationToken);
            await LivingAsync();
        }

        if (effect == Effect.AnswerLost)
        {
            throw new MessagingException(FailureKind.Transient, "the answer was lost");
        }
    }

    // An operation in flight has no answer when its connection or the emulator ends. Which of them ended does not matter to it.
    private async Task StepAsync(CancellationToken cancellationToken)
    {
        var connection = Connection;
        await services.Schedule.PauseAsync(services.Latency, cancellationToken);
        await EnsureConnectedAsync(connection);
    }
}
