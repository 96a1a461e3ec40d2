using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>One pass through the dead letters: each is read, claimed, written, and then removed or kept with the new reason.</summary>
/// <param name="deadLetterStore">The container.</param>
/// <param name="writes">Writes them.</param>
/// <param name="options">The options.</param>
/// <param name="stop">Ends it in two steps.</param>
/// <param name="faults">Receives failures of the services.</param>
/// <param name="asked">Cancelled when it is stopped.</param>
internal sealed class RedrivePass(
    DeadLetterStore deadLetterStore,
    RedrivenWrites writes,
    RedriveOptions options,
    ProcessingStop stop,
    ProcessingFaults faults,
    CancellationToken asked
)
{
    // A record that keeps changing belongs to other processes for now.
    private const int MostLooks = 5;
    private static readonly TimeSpan LongestLook = TimeSpan.FromSeconds(1);

    private readonly ConcurrentQueue<ForeignClaim> foreign = new();
    private long redriven;
    private long refused;
    private long unreadable;

    /// <summary>Dead letters that were written and removed.</summary>
    public long Redriven => Interlocked.Read(ref redriven);

    /// <summary>Dead letters that were refused again.</summary>
    public long Refused => Interlocked.Read(ref refused);

    /// <summary>Blobs that could not be read.</summary>
    public long Unreadable => Interlocked.Read(ref unreadable);

    private bool IsEnding => asked.IsCancellationRequested || faults.Raised.IsCompleted || stop.Requested.IsCancellationRequested;

    /// <summary>Whether the end was reached.</summary>
    public bool IsThrough { get; private set; }

    /// <summary>Processes all of them.</summary>
    public Task RunAsync() =>
        GuardAsync(async () =>
        {
            var limits = new ParallelOptions { MaxDegreeOfParallelism = options.MaxConcurrency, TaskScheduler = TaskScheduler.Current };
            await Parallel.ForEachAsync(ListAsync(), limits, async (letter, _) => await HandleAsync(letter, after: null));
            await WaitForOthersAsync();
        });

    /// <summary>Only reports what is there.</summary>
    public Task LookAsync() =>
        GuardAsync(async () =>
        {
            await foreach (var letter in ListAsync())
            {
                if (letter.Kind == DeadLetterKind.Complete)
                {
                    Report(letter, letter.Claim is null ? RedriveOutcome.Waiting : RedriveOutcome.Claimed);
                }
                else
                {
                    Skip(letter);
                }
            }
        });

    /// <summary>What is left at the end. Null when that cannot be read.</summary>
    public async Task<DeadLetterSurvey?> SurveyAsync()
    {
        if (faults.ServiceGone)
        {
            return null;
        }

        var survey = new DeadLetterSurvey();
        try
        {
            // Also after a stop: the result contains what is left.
            await foreach (var letter in deadLetterStore.ListAsync(CancellationToken.None))
            {
                survey.Add(letter);
            }

            return survey;
        }
        catch (MessagingException failure)
        {
            await ReportAsync(failure);
            return null;
        }
    }

    // After a stop nothing more is begun.
    private async IAsyncEnumerable<DeadLetter> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var letter in deadLetterStore.ListAsync(stop.Requested))
        {
            if (IsEnding)
            {
                throw new OperationCanceledException("no further dead letter is started");
            }

            yield return letter;
        }
    }

    private async Task GuardAsync(Func<Task> work)
    {
        try
        {
            await work();
            IsThrough = !IsEnding;
        }
        catch (OperationCanceledException) when (IsEnding)
        {
            // Running writes have ended and are reported.
        }
        catch (MessagingException failure)
        {
            await ReportAsync(failure);
        }
    }

    private Task ReportAsync(MessagingException failure)
    {
        faults.Report(ProcessingFaultKind.Dependency, $"dead letters: {failure.Message}", failure);
        return EndAsync();
    }

    // After a fault, writes in flight may end. If the service is unavailable they never would.
    private async Task EndAsync()
    {
        await stop.RequestAsync();
        if (faults.ServiceGone)
        {
            await stop.CutAsync();
        }
    }

    // Never throws: others are in the middle of their writes.
    private async Task HandleAsync(DeadLetter letter, ForeignClaim? after)
    {
        try
        {
            for (var look = 0; look < MostLooks; look++)
            {
                if (await TryHandleAsync(letter, after))
                {
                    return;
                }

                if (await deadLetterStore.FindAsync(letter.Name, stop.Cut) is not { } changed)
                {
                    return;
                }

                letter = changed;
            }

            Report(letter, RedriveOutcome.Claimed);
        }
        catch (MessagingException failure) when (failure.Kind == FailureKind.Conflict)
        {
            // Other processes keep changing it, so it belongs to them for now.
            Report(letter, RedriveOutcome.Claimed);
        }
        catch (MessagingException failure)
        {
            await ReportAsync(failure);
        }
        catch (OperationCanceledException)
        {
            // The drain limit or the time of the claim has expired.
            Report(letter, RedriveOutcome.Cut);
        }
    }

    // False when it has changed: read it again.
    private async Task<bool> TryHandleAsync(DeadLetter letter, ForeignClaim? after)
    {
        if (letter.Kind != DeadLetterKind.Complete)
        {
            Skip(letter);
            return true;
        }

        if (letter.Claim is { } claim && claim != deadLetterStore.Claimant && letter.Blob.ETag != after?.Letter.Blob.ETag)
        {
            // A dead letter that is claimed again and again belongs to other processes that are running.
            var round = after?.Round + 1 ?? 1;
            if (round <= MostLooks)
            {
                foreign.Enqueue(new ForeignClaim(letter, options.TimeProvider.GetTimestamp(), round));
            }
            else
            {
                Report(letter, RedriveOutcome.Claimed);
            }

            return true;
        }

        if (letter.Sinks.Count == 0)
        {
            // Written by a process that was killed before it had removed all of it.
            await SettleAsync(letter, new RedrivenEvent([], [], 0, Cut: false), propertiesVersion: null);
            return true;
        }

        StoredEvent stored;
        try
        {
            stored = await deadLetterStore.ReadAsync(letter, stop.Cut);
        }
        catch (FormatException damage)
        {
            if (await deadLetterStore.FindAsync(letter.Name, stop.Cut) is not { } now || now.Blob.ETag != letter.Blob.ETag)
            {
                // Another process was about to remove it.
                return false;
            }

            Interlocked.Increment(ref unreadable);
            options.Step?.Invoke(new RedriveStep(letter.Name, RedriveOutcome.Unreadable, letter.Sinks, $"cannot be redriven: {damage.Message}"));
            return true;
        }
        catch (MessagingException gone) when (gone is { Kind: FailureKind.NotFound })
        {
            // Removed by another process, or the container was deleted, which the next read reports.
            return false;
        }

        using var owner = new DeadLetterClaim(options.ClaimLimit, stop, options.TimeProvider);
        if (await deadLetterStore.TryClaimAsync(letter, options.ClaimLimit, owner.Writes) is not { } claimed)
        {
            return false;
        }

        var tried = await writes.WriteAsync(stored.Event, claimed.Sinks, owner);
        if (faults.Raised.IsCompleted)
        {
            await EndAsync();
        }

        await SettleAsync(claimed, tried, stored.PropertiesVersion);
        return true;
    }

    private async Task SettleAsync(DeadLetter letter, RedrivenEvent tried, string? propertiesVersion)
    {
        (string, int)? refusal = tried.Refusals.Count == 0 ? null : (string.Join("; ", tried.Refusals), tried.Attempts);

        // Not cancelled with the writes: the sinks that have the event must be recorded, or it is written again.
        var isUntouched = tried is { Cut: true, Written.Count: 0 };
        var isGone = !isUntouched && await deadLetterStore.SettleAsync(letter, tried.Written, refusal, tried.Cut, propertiesVersion, CancellationToken.None);
        var left = letter.Sinks.Except(tried.Written, StringComparer.Ordinal).ToList();
        var (outcome, reason) =
            isGone ? (RedriveOutcome.Redriven, letter.Reason)
            : tried.Cut ? (RedriveOutcome.Cut, letter.Reason)
            : refusal is var (why, _) ? (RedriveOutcome.Refused, why)
            : (RedriveOutcome.Waiting, letter.Reason);
        Interlocked.Add(ref redriven, outcome == RedriveOutcome.Redriven ? 1 : 0);
        Interlocked.Add(ref refused, outcome == RedriveOutcome.Refused ? 1 : 0);
        options.Step?.Invoke(new RedriveStep(letter.Name, outcome, left, reason));
    }

    // A claim that has not changed for longer than its duration belongs to a process that was killed.
    private async Task WaitForOthersAsync()
    {
        if (!foreign.IsEmpty)
        {
            options.Notice?.Invoke($"waiting for {Plural.Format(foreign.Count, "dead letter")} that another redrive has claimed");
        }

        while (!IsEnding && foreign.TryDequeue(out var claim))
        {
            await WaitAsync(claim);
        }
    }

    private async Task WaitAsync(ForeignClaim claim)
    {
        var waitLimit = claim.Letter.ClaimLimit * 1.25;
        var pause = waitLimit / 8 < LongestLook ? waitLimit / 8 : LongestLook;
        while (true)
        {
            stop.Requested.ThrowIfCancellationRequested();
            if (await deadLetterStore.FindAsync(claim.Letter.Name, stop.Requested) is not { } now)
            {
                return;
            }

            var isSame = now.Blob.ETag == claim.Letter.Blob.ETag;
            if (!isSame || options.TimeProvider.GetElapsedTime(claim.SeenAt) > waitLimit)
            {
                await HandleAsync(now, claim);
                return;
            }

            await Task.Delay(pause, options.TimeProvider, stop.Requested);
        }
    }

    private void Skip(DeadLetter letter)
    {
        if (letter.Kind == DeadLetterKind.Unreadable)
        {
            Interlocked.Increment(ref unreadable);
            options.Step?.Invoke(new RedriveStep(letter.Name, RedriveOutcome.Unreadable, [], letter.Problem));
        }
    }

    private void Report(DeadLetter letter, RedriveOutcome outcome) => options.Step?.Invoke(new RedriveStep(letter.Name, outcome, letter.Sinks, letter.Reason));
}

/// <summary>A dead letter that another process has claimed, when that was seen, and how many claims of it were seen.</summary>
internal readonly record struct ForeignClaim(DeadLetter Letter, long SeenAt, int Round);
