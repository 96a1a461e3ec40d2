using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Embedded;

/// <summary>What the sender is asked to send.</summary>
internal sealed record EmbeddedLoad(int Events, int Size, int Keys);

/// <summary>Fills the hub by running the sender as a process of its own; it alone writes the ledger.</summary>
internal static class EmbeddedSender
{
    private static readonly TimeSpan SampleInterval = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan FillLimit = TimeSpan.FromMinutes(10);

    /// <summary>Runs the sender to its end and gives what it used, as far as that could be seen.</summary>
    public static async Task<ProcessUsage?> FillAsync(
        string run, EmbeddedLoad load, string ledger, IReadOnlyDictionary<string, string> settings, TimeProvider timeProvider,
        CancellationToken cancellationToken)
    {
        string[] arguments =
        [
            "--quiet", "--count", load.Events.ToString(CultureInfo.InvariantCulture), "--size", load.Size.ToString(CultureInfo.InvariantCulture),
            "--keys", load.Keys.ToString(CultureInfo.InvariantCulture), "--ledger", ledger, "--run", run,
        ];
        await using var process = ChildProcess.Start("sender", arguments, settings, endsWithInput: false, timeProvider);
        using var limit = new CancellationTokenSource(FillLimit, timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var output = DiscardOutputAsync(process, either.Token);
        ProcessUsage? usage;
        try
        {
            usage = await SampleAsync(process, timeProvider, either.Token);
            await output;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new ExitException(ExitCode.Dependency, $"the sender did not finish within {FillLimit.TotalMinutes:0} min");
        }

        return process.ExitCode == 0
            ? usage
            : throw new ExitException(ExitCode.Dependency, $"sender ended with code {process.ExitCode}: {await process.LastWordsAsync()}");
    }

    // A process that has ended tells nothing more, so it is asked while it lives.
    private static async Task<ProcessUsage?> SampleAsync(ChildProcess process, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        ProcessUsage? last = null;
        using var timer = new PeriodicTimer(SampleInterval, timeProvider);
        while (!process.Ended.IsCompleted)
        {
            last = ProcessUsage.Of(process.Process) ?? last;
            await Task.WhenAny(process.Ended, timer.WaitForNextTickAsync(cancellationToken).AsTask());
            cancellationToken.ThrowIfCancellationRequested();
        }

        return last;
    }

    private static async Task DiscardOutputAsync(ChildProcess process, CancellationToken cancellationToken)
    {
        while (await process.ReadLineAsync(cancellationToken) is not null)
        {
            // The summary is the sender's own affair; reading it keeps the pipe from filling.
        }
    }
}
