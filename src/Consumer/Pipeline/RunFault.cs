using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>The exit codes of the program.</summary>
internal static class ExitCode
{
    public const int Done = 0;
    public const int Usage = 2;
    public const int VerificationFailed = 3;
    public const int Dependency = 4;
    public const int ResultsUnwritable = 5;
    public const int PortInUse = 6;
    public const int Poison = 7;
    public const int DrainLimit = 8;
    public const int InvariantBreached = 9;
    public const int Interrupted = 130;
    public const int Terminated = 143;

    // When several apply, the first of these wins.
    private static readonly int[] Precedence = [VerificationFailed, InvariantBreached, Dependency, Poison, DrainLimit, ResultsUnwritable];

    /// <summary>The code to end with when all of these apply.</summary>
    public static int Worst(IEnumerable<int> codes)
    {
        var all = codes.Where(code => code != Done).ToHashSet();
        foreach (var code in Precedence)
        {
            if (all.Contains(code))
            {
                return code;
            }
        }

        return all.Count == 0 ? Done : all.Min();
    }
}

/// <summary>Something that ends the run with a code other than 0. The message is one line and names partition, event or service.</summary>
internal sealed record RunFault(int Code, string Message);

/// <summary>Carries a fault through a strategy and the processor.</summary>
internal sealed class RunFaultException(RunFault fault, Exception? innerException = null) : Exception(fault.Message, innerException)
{
    public RunFault Fault { get; } = fault;
}

/// <summary>
/// The faults of a run. Sinks and pumps report here before they throw, so that no strategy can swallow one; the first report
/// stops the run.
/// </summary>
internal sealed class RunFaults
{
    private readonly Lock gate = new();
    private readonly List<RunFault> faults = [];

    // Those who wait for it must not run inside a sink's write.
    private readonly TaskCompletionSource raised = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the first fault.</summary>
    public Task Raised => raised.Task;

    /// <summary>Whether a service was out of reach for longer than the clients wait: what is in flight will not be answered.</summary>
    public bool ServiceGone { get; private set; }

    public IReadOnlyList<RunFault> All
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
    public RunFaultException Report(int code, string message, Exception? cause = null)
    {
        // One line, whatever a service or a child process has put into its words, and no secret.
        var fault = new RunFault(code, SecretMask.Apply(message).ReplaceLineEndings(" "));
        lock (gate)
        {
            ServiceGone |= cause is MessagingException { Kind: FailureKind.Unreachable };
            if (!faults.Contains(fault))
            {
                faults.Add(fault);
            }
        }

        raised.TrySetResult();
        return new RunFaultException(fault, cause);
    }
}
