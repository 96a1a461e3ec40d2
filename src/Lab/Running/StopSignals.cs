using System.Runtime.InteropServices;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>SIGINT, SIGTERM and SIGHUP: the first asks the run to drain, the second ends the process immediately.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource first = new();
    private readonly Action<string> say;
    private readonly Action<int> exit;
    private readonly List<PosixSignalRegistration> registrations = [];
    private int received;

    /// <param name="say">Reports what happens.</param>
    /// <param name="exit">Ends the process with the code.</param>
    public StopSignals(Action<string> say, Action<int> exit)
    {
        this.say = say;
        this.exit = exit;
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken First => first.Token;

    /// <summary>Describes which events may be delivered again if the process ends now.</summary>
    public Func<string> DescribeReplay { get; set; } = () => "no event was started";

    /// <summary>Listens to the signals of this process.</summary>
    public static StopSignals OfProcess(Action<string> say)
    {
        var signals = new StopSignals(say, Environment.Exit);
        foreach (var signal in new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP })
        {
            signals.registrations.Add(
                PosixSignalRegistration.Create(
                    signal,
                    context =>
                    {
                        context.Cancel = true;
                        signals.Receive(context.Signal);
                    }
                )
            );
        }

        return signals;
    }

    public void Receive(PosixSignal signal)
    {
        if (Interlocked.Increment(ref received) == 1)
        {
            say($"{signal}: draining. A second signal ends the program immediately");
            first.Cancel();
            return;
        }

        say($"{signal} again: ended immediately: {DescribeReplay()}");
        exit(
            signal switch
            {
                PosixSignal.SIGTERM => ExitCode.Terminated,
                PosixSignal.SIGHUP => ExitCode.HungUp,
                _ => ExitCode.Interrupted,
            }
        );
    }

    public void Dispose()
    {
        registrations.ForEach(registration => registration.Dispose());
        first.Dispose();
    }
}
