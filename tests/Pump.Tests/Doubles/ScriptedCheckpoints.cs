using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>A partition whose checkpoint writes end as the test sets them. It remembers stored positions and whether writes overlapped.</summary>
internal sealed class ScriptedCheckpoints(string partitionId = "0") : IOwnedPartition, IDisposable
{
    private readonly Lock gate = new();
    private readonly Queue<Func<CancellationToken, Task>> script = new();
    private readonly CancellationTokenSource lost = new();
    private int running;

    public string PartitionId => partitionId;

    public Checkpoint? StartedFrom => null;

    public CancellationToken Lost => lost.Token;

    /// <summary>Confirmed positions in the order in which they were stored.</summary>
    public Recorded<long> Stored { get; } = [];

    /// <summary>Positions of all attempts.</summary>
    public Recorded<long> Attempted { get; } = [];

    public bool Overlapped { get; private set; }

    public ScriptedCheckpoints Then(Func<CancellationToken, Task> outcome)
    {
        script.Enqueue(outcome);
        return this;
    }

    /// <summary>A write that ends only when it is cut. The returned task completes when it has begun.</summary>
    public Task ThenHang()
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Then(token =>
        {
            begun.SetResult();
            return Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
        });
        return begun.Task;
    }

    public ScriptedCheckpoints ThenFail(FailureKind kind) => Then(_ => throw new MessagingException(kind, $"checkpoint {kind}"));

    /// <summary>The state before each write. Nothing by default.</summary>
    public Func<CancellationToken, ValueTask>? Look { get; set; }

    public Task LoseAsync() => lost.CancelAsync();

    public ValueTask EnsureOwnedAsync(CancellationToken cancellationToken) => Look?.Invoke(cancellationToken) ?? ValueTask.CompletedTask;

    public async Task CheckpointAsync(EventPosition position, CancellationToken cancellationToken)
    {
        Func<CancellationToken, Task>? outcome;
        lock (gate)
        {
            Overlapped |= running++ > 0;
            Attempted.Add(position.SequenceNumber);
            script.TryDequeue(out outcome);
        }

        try
        {
            if (outcome is not null)
            {
                await outcome(cancellationToken);
            }

            lock (gate)
            {
                Stored.Add(position.SequenceNumber);
            }
        }
        finally
        {
            lock (gate)
            {
                running--;
            }
        }
    }

    public void Dispose() => lost.Dispose();
}
