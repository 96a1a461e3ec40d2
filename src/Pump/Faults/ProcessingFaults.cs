using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Logs;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Pump.Faults;

/// <summary>
/// The faults of one process. Sinks and sessions report here before they throw, so that no strategy can swallow one. The first
/// report stops the processing.
/// </summary>
/// <param name="log">Told of each fault once. Null writes nothing.</param>
internal sealed class ProcessingFaults(ILogger? log = null)
{
    private readonly ILogger log = log ?? NullLogger.Instance;

    private readonly Lock gate = new();
    private readonly List<ProcessingFault> faults = [];

    // Those who wait for it must not run inside a sink's write.
    private readonly TaskCompletionSource raised = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private long countedBreaches;

    /// <summary>Takes secrets out of a message. Leaves it as it is unless given.</summary>
    public Func<string, string> Mask { get; init; } = static message => message;

    /// <summary>Whether breaches of invariants are counted only, as those of an unsafe strategy are: that they happen is what it is run for.</summary>
    public bool CountsBreaches { get; init; }

    /// <summary>Called with each new fault, and with an error of a strategy. Must not throw.</summary>
    public Action<ProcessingFault>? Reported { get; init; }

    /// <summary>The breaches that were counted and ended nothing.</summary>
    public long CountedBreaches => Interlocked.Read(ref countedBreaches);

    /// <summary>Completes with the first fault.</summary>
    public Task Raised => raised.Task;

    /// <summary>Whether a service was out of reach for longer than the clients wait: what is in flight will not be answered.</summary>
    public bool ServiceGone { get; private set; }

    /// <summary>The first error of a strategy's own. Thrown by whoever runs the processing, as it came.</summary>
    public Exception? Error { get; private set; }

    public IReadOnlyList<ProcessingFault> All
    {
        get
        {
            lock (gate)
            {
                return [.. faults];
            }
        }
    }

    /// <summary>Records the fault and gives the exception to throw.</summary>
    /// <param name="kind">What sort of thing it is.</param>
    /// <param name="message">The message. It becomes one line without secrets.</param>
    /// <param name="cause">What was thrown.</param>
    /// <param name="partition">The partition, where it is the fault of one.</param>
    /// <param name="sequence">The event, where it is the fault of one.</param>
    public ProcessingFaultException Report(ProcessingFaultKind kind, string message, Exception? cause = null, string? partition = null, long? sequence = null)
    {
        // One line, whatever a service or a child process has put into its words, and no secret.
        var thrown = (cause as MessagingException)?.Thrown ?? cause;
        var fault = new ProcessingFault(kind, Mask(message).ReplaceLineEndings(" "))
        {
            Exception = thrown,
            PartitionId = partition,
            SequenceNumber = sequence,
        };
        bool isNew;
        lock (gate)
        {
            ServiceGone |= cause is MessagingException { Kind: FailureKind.Unreachable };
            isNew = !faults.Contains(fault);
            if (isNew)
            {
                faults.Add(fault);
            }
        }

        if (isNew)
        {
            Log.Faulted(log, $"{kind}", fault.Message, cause);
            Reported?.Invoke(fault);
        }

        raised.TrySetResult();
        return new ProcessingFaultException(fault, thrown);
    }

    /// <summary>An invariant is broken: ends the processing, or is counted.</summary>
    /// <exception cref="ProcessingFaultException">It ends the processing.</exception>
    public void Breach(string message)
    {
        if (!CountsBreaches)
        {
            throw Report(ProcessingFaultKind.InvariantBreached, message);
        }

        Interlocked.Increment(ref countedBreaches);
        Log.BreachCounted(log, message);
    }

    /// <summary>Records that a strategy's background work has failed. What was reported where it was raised, or was cut, is known.</summary>
    /// <param name="failure">What it threw.</param>
    /// <param name="partition">The partition that it worked for.</param>
    /// <param name="cut">Whether its work had been cut by then.</param>
    public void ReportError(Exception failure, string partition, bool cut)
    {
        if (failure is ProcessingFaultException || (cut && failure is OperationCanceledException))
        {
            Log.StrategyCut(log, partition, failure);
            return;
        }

        Log.StrategyFailed(log, partition, failure);

        lock (gate)
        {
            Error ??= failure;
        }

        Reported?.Invoke(
            new ProcessingFault(ProcessingFaultKind.InvariantBreached, $"the strategy failed on partition {partition}: {failure.Message}")
            {
                Exception = failure,
                PartitionId = partition,
            }
        );
        raised.TrySetResult();
    }
}
