using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Sender.Tests;

/// <summary>A client's buffer that keeps all until it is flushed, and then reports the outcome of each event that a test sets.</summary>
internal sealed class RecordingBuffer : IBufferedEventWriter
{
    private readonly Queue<(int Number, Action<MessagingException?> Settled)> buffered = new();

    public List<(OutgoingEvent Event, string? Key)> Added { get; } = [];

    /// <summary>What adding number n, from 0, does before the event is taken.</summary>
    public Func<int, CancellationToken, Task> OnAdd { get; init; } = (_, _) => Task.CompletedTask;

    /// <summary>How often the outcome of number n is reported. 1 as promised.</summary>
    public Func<int, int> Times { get; init; } = _ => 1;

    public Func<int, MessagingException?> GetOutcome { get; init; } = _ => null;

    /// <summary>Whether number n is settled while it is added.</summary>
    public Func<int, bool> IsSentImmediately { get; init; } = _ => false;

    /// <summary>What comes between the end of a flush and the outcomes.</summary>
    public Func<Task> BeforeOutcomes { get; init; } = () => Task.CompletedTask;

    public Task Outcomes { get; private set; } = Task.CompletedTask;

    public async Task AddAsync(OutgoingEvent outgoingEvent, string? partitionKey, Action<MessagingException?> settled, CancellationToken cancellationToken)
    {
        var number = Added.Count;
        await OnAdd(number, cancellationToken);
        Added.Add((outgoingEvent, partitionKey));
        if (IsSentImmediately(number))
        {
            settled(GetOutcome(number));
        }
        else
        {
            buffered.Enqueue((number, settled));
        }
    }

    public Task FlushAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Outcomes = TellAsync();
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private async Task TellAsync()
    {
        await BeforeOutcomes();
        while (buffered.TryDequeue(out var one))
        {
            for (var time = 0; time < Times(one.Number); time++)
            {
                one.Settled(GetOutcome(one.Number));
            }
        }
    }
}
