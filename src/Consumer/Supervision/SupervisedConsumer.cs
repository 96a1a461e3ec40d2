using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Embedded;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>How a consumer under supervision ended.</summary>
/// <param name="Code">Its exit code; 137 is death by SIGKILL.</param>
/// <param name="LastWords">The end of its standard error.</param>
/// <param name="Recovery">From its announcement until its first event; null when it had none.</param>
internal sealed record ConsumerEnd(int Code, string LastWords, TimeSpan? Recovery)
{
    public const int Killed = 137;
}

/// <summary>Starts one consumer as a process of its own and sees it through to its end.</summary>
internal static class SupervisedConsumer
{
    // Far beyond anything that a run of a few hundred events takes, even on a busy machine.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(10);

    // One lives for seconds: no time to compile anything well, and what it would leave behind for debuggers nobody takes away.
    private static readonly KeyValuePair<string, string>[] ShortLived = [new("DOTNET_TC_QuickJit", "1"), new("DOTNET_EnableDiagnostics", "0")];

    /// <summary>The variables that every consumer under supervision is started with.</summary>
    public static Dictionary<string, string> WithShortLived(IReadOnlyDictionary<string, string> environment) =>
        new([.. environment, .. ShortLived], StringComparer.Ordinal);

    /// <param name="arguments">Its command line.</param>
    /// <param name="owner">Its identifier, with which it announces itself.</param>
    /// <param name="drainAfter">Asks it to drain when it has stored so many checkpoints; null lets it run.</param>
    /// <param name="environment">Its connection settings.</param>
    /// <param name="watch">What follows the journal.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends it by force.</param>
    public static async Task<ConsumerEnd> RunAsync(
        IEnumerable<string> arguments,
        string owner,
        int? drainAfter,
        IReadOnlyDictionary<string, string> environment,
        RestartWatch watch,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        watch.Begin();
        long announced = 0;
        await using var process = ChildProcess.Start(
            "consumer",
            arguments,
            WithShortLived(environment),
            endsWithInput: false,
            clock,
            line =>
            {
                if (Announcement.IsOf(owner, line))
                {
                    Interlocked.CompareExchange(ref announced, clock.GetTimestamp(), 0);
                }
            }
        );
        using var limit = new CancellationTokenSource(Limit, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var output = process.DiscardOutputAsync(either.Token);
        try
        {
            var delivered = await WatchAsync(process, drainAfter, watch, clock, either.Token);
            await output;
            var words = await process.LastWordsAsync();
            TimeSpan? recovery = delivered is { } at && announced != 0 ? clock.GetElapsedTime(announced, Math.Max(announced, at)) : null;
            return new ConsumerEnd(process.ExitCode, words, recovery);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new ExitException(ExitCode.VerificationFailed, $"a restarted consumer ({owner}) did not end within {Limit.TotalSeconds:0} s");
        }
    }

    // Gives the moment at which the first event was seen to be delivered.
    private static async Task<long?> WatchAsync(
        ChildProcess process,
        int? drainAfter,
        RestartWatch watch,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        long? delivered = null;
        var asked = false;
        using var timer = new PeriodicTimer(LookInterval, clock);
        while (!process.Ended.IsCompleted)
        {
            watch.Look();
            delivered ??= watch.Delivered ? clock.GetTimestamp() : null;
            if (!asked && watch.Checkpoints >= drainAfter)
            {
                asked = true;
                await process.TerminateAsync();
            }

            await Task.WhenAny(process.Ended, timer.WaitForNextTickAsync(cancellationToken).AsTask());
            cancellationToken.ThrowIfCancellationRequested();
        }

        return delivered;
    }
}
