using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Profiling;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Profiling;

/// <summary>Connects to a namespace, probes it, and reports the entities that it could not remove.</summary>
internal static class ProbeRun
{
    /// <param name="choice">What is probed.</param>
    /// <param name="family">The clients.</param>
    /// <param name="settings">The namespace.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="signals">The signals that end the probe early.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="FailureException">The namespace refuses or does not answer, or a signal came.</exception>
    public static async Task<MeasuredProfile> RunAsync(
        ProbeChoice choice,
        ClientFamily family,
        MessagingSettings settings,
        CommandConsole console,
        StopSignals signals,
        TimeProvider clock
    )
    {
        var options = new ClientOptions { TimeProvider = clock, Notice = console.Error.WriteLine };
        var probe = new NamespaceProbe(group => family.Connect(group, options), settings, choice, clock);
        await console.Error.WriteLineAsync($"{probe.Name}: writes {choice.Count} messages, blobs and checkpoints to the namespace, one after another");
        try
        {
            var profile = MeasuredProfile.OfWrites(choice.Name, await probe.RunAsync(signals.First));
            return new MeasuredProfile(
                profile,
                [
                    $"the messages remain in {settings.MessageEntity}. Their identifiers begin with {probe.Name}. Blobs and checkpoints were deleted",
                    "receiving was not measured: a run of baseline with --prefetch 0 measures it",
                    MeasuredProfile.SideBySide,
                ]
            );
        }
        catch (MessagingException failure)
        {
            throw new FailureException(FailureCause.Dependency, failure.Message, failure);
        }
        catch (OperationCanceledException stopped) when (signals.First.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Interrupted, "stopped before the namespace was measured", stopped);
        }
    }
}
