using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Logs;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Pump.Faults;

/// <summary>
/// The faults of one process. Sinks and sessions report here before they throw, so that no strategy can swallow a fault. The first report stops the
/// processing.
/// </summary>
/// <param name="log">Logs each fault once. Null writes nothing.</param>
internal sealed class ProcessingFaults(ILogger? log = null)
{
    private readonly ILogger log = log ?? NullLogger.Instance;

    private readonly Lock gate = new();
    private readonly List<ProcessingFault> faults = [];

    // Waiting continuations must not run inside a sink's write.
    private readonly TaskCompletionSource raised = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private long countedBreaches;

    /// <summary>Removes secrets from a message. By default it changes nothing.</summary>
    public Func<string, string> Mask { get; init; } = static message => message;

    /// <summary>Whether breaches of invariants are only counted, as for an unsafe strategy: such a strategy is run to show them.</summary>
    public bool CountsBreaches { get; init; }

    /// <summary>Called with each new fault, and with an error of a strategy. Must not throw.</summary>
    public Action<ProcessingFault>? Reported { get; init; }

    /// <summary>The breaches that were counted and ended nothing.</summary>
    public long CountedBreaches => Interlocked.Read(ref countedBreaches);

    /// <summary>Completes with the first fault.</summary>
    public Task Raised => raised.Task;

    /// <summary>Whether a service was unreachable for longer than the clients wait. Writes in flight will then get no answer.</summary>
    public bool ServiceGone { get; private set; }

    /// <summary>The first error of a strategy itself. The caller that runs the processing throws it unchanged.</summary>
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

    /// <summary>Records the fault and returns the exception to throw.</summary>
    /// <param name="kind">The kind of failure.</param>
    /// <param name="message">The message. It becomes one line without secrets.</param>
    /// <param name="cause">The exception.</param>
    /// <param name="partition">The partition, if the fault belongs to one.</param>
    /// <param name="sequence">The event, if the fault belongs to one.</param>
    public ProcessingFaultException Report(ProcessingFaultKind kind, string message, Exception? cause = null, string? partition = null, long? sequence = null)
    {
        // One line without secrets, for any text of a service or a child process.
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

    /// <summary>Reports a broken invariant: it ends the processing, or is counted.</summary>
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

    /// <summary>
    /// Records that a strategy's background work has failed. Failures that were reported where they were raised, or that follow a cancellation, are ignored.
    /// </summary>
    /// <param name="failure">The exception.</param>
    /// <param name="partition">The partition that it worked for.</param>
    /// <param name="cut">Whether its work had been cancelled by then.</param>
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
