using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Consumer.Tests.Conviction.Recording;

/// <summary>The services as one process sees them. Once it is killed, nothing that it had under way goes on.</summary>
internal sealed class RecordedProcess(RecordedServices services, string client)
{
    private readonly TaskCompletionSource never = new();
    private bool killed;
    private int cuts;

    public RecordedServices Services => services;

    /// <summary>The name under which it stores checkpoints.</summary>
    public string Client => client;

    /// <summary>The connection to the queues that it has now.</summary>
    public string Connection => cuts == 0 ? client : $"{client}+{cuts}";

    public IMessageSender Queue => SenderTo("queue");

    public IBlobContainer Archive => new RecordedContainer(this, "archive");

    public IBlobContainer DeadLetters => new RecordedContainer(this, "deadletters");

    public IMessageSender SenderTo(string entity) => new RecordedQueue(this, entity);

    public IBlobContainer Container(string name) => new RecordedContainer(this, name);

    /// <summary>Takes the partition from where the store says; whoever had it is not asked.</summary>
    /// <param name="fenced">Whether a checkpoint is refused when somebody else has stored one since.</param>
    /// <param name="reader">The name that its reader brings along; null for none.</param>
    /// <param name="group">The consumer group that it reads in.</param>
    public RecordedOwnership Take(bool fenced = true, string? reader = null, string group = RecordedServices.Group) => new(this, fenced, reader, group);

    /// <summary>The connection to the queues ends without a close. What has no answer yet fails, and a new connection takes its place.</summary>
    public void Cut()
    {
        services.Write(new ConnectionCut(Connection));
        Reconnect();
    }

    /// <summary>Another connection takes the place of the one that is gone.</summary>
    public void Reconnect() => cuts++;

    /// <summary>Fails when the connection of a request is gone.</summary>
    public void EnsureConnected(string connection)
    {
        if (connection != Connection)
        {
            throw new MessagingException(FailureKind.Transient, $"connection {connection} was cut");
        }
    }

    /// <summary>The end without a last word.</summary>
    public void Kill() => killed = true;

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
        if (effect == Effect.AnsweredLate)
        {
            await services.Schedule.Clock.DelayAsync(services.LateAnswer, cancellationToken);
        }

        if (effect == Effect.AnswerLost)
        {
            throw new MessagingException(FailureKind.Transient, "the answer was lost");
        }
    }

    private async Task StepAsync(CancellationToken cancellationToken)
    {
        await services.Schedule.PauseAsync(services.Latency, cancellationToken);
        if (killed)
        {
            await never.Task;
        }
    }
}
