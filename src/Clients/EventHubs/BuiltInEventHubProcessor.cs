using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Claims its share of the partitions, runs each of them, and renews its ownerships. Balancing cycles and the runs of partitions are concurrent.
/// </summary>
internal sealed class BuiltInEventHubProcessor(PartitionRunContext context, Func<CancellationToken, Task<IReadOnlyList<string>>> listPartitions, Random random)
    : IEventHubProcessor
{
    private const int MaxConcurrentRenewals = 8;

    private readonly EventHubProcessorOptions options = context.Options;
    private readonly Balancer balancer = new(context.Options.Identifier, context.Options.OwnershipExpiry, random);
    private readonly ConcurrentDictionary<string, (PartitionRun Run, Task Task)> runs = new(StringComparer.Ordinal);
    private readonly LinkContentionDetector fights = new(context.Options.TimeProvider);
    private readonly UnclaimedPartitions unclaimed = new(context.Options.TimeProvider, context.Options.BalancingInterval);
    private ExceptionDispatchInfo? failure;

    // Used only by the balancing loop: the end of our own last reading of a partition, for which a claim waits.
    private Task? awaitedEnd;

    public IReadOnlyCollection<string> OwnedPartitions => [.. runs.Values.Where(static one => !one.Run.IsLost).Select(static one => one.Run.PartitionId)];

    public async Task RunAsync(CancellationToken stoppingToken)
    {
        using var stopping = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken);
        using var claims = new ClaimShutdownTimeout(options.TimeProvider, stopping.Token);
        try
        {
            await BalanceAsync(stopping, claims.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // Stopped, or a partition failed.
        }
        catch (Exception exception)
        {
            Fail(exception, stopping);
        }

        await stopping.CancelAsync().ConfigureAwait(false);
        await CloseAllAsync().ConfigureAwait(false);
        failure?.Throw();
    }

    private async Task BalanceAsync(CancellationTokenSource stopping, CancellationToken claims)
    {
        var stoppingToken = stopping.Token;
        var partitions = await listPartitions(stoppingToken).ConfigureAwait(false);
        var lastSuccess = options.TimeProvider.GetTimestamp();
        while (true)
        {
            stoppingToken.ThrowIfCancellationRequested();
            var again = false;
            awaitedEnd = null;
            var began = options.TimeProvider.GetTimestamp();
            var rest = options.BalancingInterval;
            try
            {
                var tried = await CycleAsync(partitions, stopping, claims).ConfigureAwait(false);
                again = tried && options.Balancing == Balancing.Greedy;
                lastSuccess = options.TimeProvider.GetTimestamp();

                // From beginning to beginning: a slow cycle must not delay the next one.
                rest -= options.TimeProvider.GetElapsedTime(began, lastSuccess);
            }
            catch (MessagingException passing) when (passing.IsTransient && options.TimeProvider.GetElapsedTime(lastSuccess) < options.UnreachableLimit)
            {
                // The store did not answer. Ownerships stay valid until they expire, and readers continue.
                Log.CycleFailed(context.Log, options.Identifier, passing);
            }

            if (!again)
            {
                var least = options.BalancingInterval / 10;
                await RestAsync(rest > least ? rest : least, stoppingToken).ConfigureAwait(false);
            }
        }
    }

    private async Task RestAsync(TimeSpan rest, CancellationToken stoppingToken)
    {
        if (awaitedEnd is null)
        {
            await Task.Delay(rest, options.TimeProvider, stoppingToken).ConfigureAwait(false);
            return;
        }

        try
        {
            // The partition has no owner until we can claim it.
            await awaitedEnd.WaitAsync(rest, options.TimeProvider, stoppingToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The next cycle tries again.
        }
    }

    // Returns whether a partition was or should have been claimed.
    private async Task<bool> CycleAsync(IReadOnlyList<string> partitions, CancellationTokenSource stopping, CancellationToken claims)
    {
        await RenewAllAsync(claims).ConfigureAwait(false);
        var listed = await context.Store.ListOwnershipsAsync(stopping.Token).ConfigureAwait(false);
        context.DuplicateIdentifierDetector.Look(listed);
        HashSet<string> tracked = [.. OwnedPartitions];
        var decision = balancer.Decide(partitions, listed, tracked, unclaimed.Overdue(), options.TimeProvider.GetUtcNow());
        unclaimed.Note(decision.Unclaimed);
        var tried = false;
        var adopted = decision.Adopt.Where(claim => context.DuplicateIdentifierDetector.IsOurs(claim.PartitionId, claim.ETag));
        foreach (var claim in decision.Claim is { } one ? adopted.Append(one) : adopted)
        {
            tried |= await ClaimAsync(claim, stopping, claims).ConfigureAwait(false);
        }

        return tried;
    }

    private async Task<bool> ClaimAsync(BalanceClaim claim, CancellationTokenSource stopping, CancellationToken claims)
    {
        if (stopping.IsCancellationRequested)
        {
            return false;
        }

        // A reader that is still closing must end before the next one begins.
        if (runs.TryGetValue(claim.PartitionId, out var closing))
        {
            awaitedEnd = closing.Task;
            return false;
        }

        Ownership? ownership;
        try
        {
            ownership = await context.Store.ClaimAsync(claim.PartitionId, options.Identifier, claim.ETag, claims).ConfigureAwait(false);
        }
        catch (MessagingException passing) when (passing.IsTransient)
        {
            // The next cycle tries again, after an interval.
            Log.ClaimFailed(context.Log, claim.PartitionId, passing);
            return false;
        }

        if (ownership is null)
        {
            Log.ClaimRefused(context.Log, claim.PartitionId);
        }
        else
        {
            Log.Claimed(context.Log, claim.PartitionId, options.Identifier);
            context.DuplicateIdentifierDetector.Wrote(ownership.PartitionId, ownership.ETag);
            var run = new PartitionRun(context, ownership);
            var registered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            runs[claim.PartitionId] = (run, RunAsync(run, registered.Task, stopping));
            registered.SetResult();
        }

        return true;
    }

    // Never faults: an error ends the processor. It begins after it is registered, because it ends by removing itself.
    private async Task RunAsync(PartitionRun run, Task registered, CancellationTokenSource stopping)
    {
        await registered.ConfigureAwait(false);
        try
        {
            await run.RunAsync(stopping.Token).ConfigureAwait(false);
            if (run.TakenWithoutClaim && fights.Note(run.PartitionId) is { } fight)
            {
                Fail(fight, stopping);
            }
        }
        catch (Exception exception)
        {
            Fail(exception, stopping);
        }
        finally
        {
            runs.TryRemove(run.PartitionId, out _);
        }
    }

    private Task RenewAllAsync(CancellationToken cancellationToken) =>
        Parallel.ForEachAsync(
            runs.Values,
            new ParallelOptions
            {
                MaxDegreeOfParallelism = MaxConcurrentRenewals,
                TaskScheduler = TaskScheduler.Current,
                CancellationToken = cancellationToken,
            },
            async (one, token) =>
            {
                try
                {
                    await one.Run.RenewAsync(token).ConfigureAwait(false);
                }
                catch (MessagingException passing) when (passing.IsTransient)
                {
                    // The others are still renewed. This one is tried again in the next cycle, before it expires.
                    Log.RenewalFailed(context.Log, one.Run.PartitionId, passing);
                }
            }
        );

    // Partitions that take long to drain stay ours in the meantime.
    private async Task CloseAllAsync()
    {
        while (true)
        {
            var all = Task.WhenAll(runs.Values.Select(static one => one.Task));
            try
            {
                await all.WaitAsync(options.BalancingInterval, options.TimeProvider).ConfigureAwait(false);
                return;
            }
            catch (TimeoutException)
            {
                await RenewQuietlyAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task RenewQuietlyAsync()
    {
        using var limit = new CancellationTokenSource(options.BalancingInterval, options.TimeProvider);
        try
        {
            await RenewAllAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is MessagingException or OperationCanceledException)
        {
            // An ownership that could not be renewed may expire. Its checkpoint is fenced.
            Log.DrainingUnrenewed(context.Log, options.Identifier, exception);
        }
    }

    // The first failure is the one to throw.
    private void Fail(Exception exception, CancellationTokenSource stopping)
    {
        if (Interlocked.CompareExchange(ref failure, ExceptionDispatchInfo.Capture(exception), null) is null)
        {
            Log.ProcessorFailed(context.Log, options.Identifier, exception);
            options.Failing?.Invoke(exception);
        }
        else
        {
            Log.FurtherFailure(context.Log, options.Identifier, exception);
        }

        stopping.Cancel();
    }
}
