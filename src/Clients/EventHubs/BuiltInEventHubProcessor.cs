using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Claims its share of the partitions, runs each of them, and renews what it owns; cycles of balancing and the runs of partitions
/// go on beside each other.
/// </summary>
internal sealed class BuiltInEventHubProcessor(PartitionRunContext context, Func<CancellationToken, Task<IReadOnlyList<string>>> listPartitions, Random random)
    : IEventHubProcessor
{
    private const int RenewalsAtOnce = 8;

    private readonly EventHubProcessorOptions options = context.Options;
    private readonly Balancer balancer = new(context.Options.Identifier, context.Options.OwnershipExpiry, random);
    private readonly ConcurrentDictionary<string, (PartitionRun Run, Task Task)> runs = new(StringComparer.Ordinal);
    private readonly LinkFights fights = new(context.Options.TimeProvider);
    private ExceptionDispatchInfo? failure;

    public IReadOnlyCollection<string> OwnedPartitions => [.. runs.Values.Where(static one => !one.Run.IsLost).Select(static one => one.Run.PartitionId)];

    public async Task RunAsync(CancellationToken stop)
    {
        using CancellationTokenSource stopping = CancellationTokenSource.CreateLinkedTokenSource(stop);
        using ClaimGrace claims = new(options.TimeProvider, stopping.Token);
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
        CancellationToken stop = stopping.Token;
        IReadOnlyList<string> partitions = await listPartitions(stop).ConfigureAwait(false);
        long lastSuccess = options.TimeProvider.GetTimestamp();
        while (true)
        {
            stop.ThrowIfCancellationRequested();
            bool again = false;
            try
            {
                bool tried = await CycleAsync(partitions, stopping, claims).ConfigureAwait(false);
                again = tried && options.Balancing == Balancing.Greedy;
                lastSuccess = options.TimeProvider.GetTimestamp();
            }
            catch (MessagingException passing) when (passing.IsTransient && options.TimeProvider.GetElapsedTime(lastSuccess) < options.UnreachableLimit)
            {
                // The store did not answer; ownerships live on until they expire, and readers go on.
            }

            if (!again)
            {
                await Task.Delay(options.BalancingInterval, options.TimeProvider, stop).ConfigureAwait(false);
            }
        }
    }

    // Returns whether a partition was or should have been claimed.
    private async Task<bool> CycleAsync(IReadOnlyList<string> partitions, CancellationTokenSource stopping, CancellationToken claims)
    {
        await RenewAllAsync(claims).ConfigureAwait(false);
        IReadOnlyList<Ownership> listed = await context.Store.ListOwnershipsAsync(stopping.Token).ConfigureAwait(false);
        HashSet<string> tracked = [.. OwnedPartitions];
        BalanceDecision decision = balancer.Decide(partitions, listed, tracked, options.TimeProvider.GetUtcNow());
        bool tried = false;
        foreach (BalanceClaim claim in decision.Claim is { } one ? decision.Adopt.Append(one) : decision.Adopt)
        {
            tried |= await ClaimAsync(claim, stopping, claims).ConfigureAwait(false);
        }

        return tried;
    }

    private async Task<bool> ClaimAsync(BalanceClaim claim, CancellationTokenSource stopping, CancellationToken claims)
    {
        // An incarnation that is still closing has to end before the next one begins.
        if (stopping.IsCancellationRequested || runs.ContainsKey(claim.PartitionId))
        {
            return false;
        }

        Ownership? ownership;
        try
        {
            ownership = await context.Store.ClaimAsync(claim.PartitionId, options.Identifier, claim.ETag, claims).ConfigureAwait(false);
        }
        catch (MessagingException passing) when (passing.IsTransient)
        {
            // For the next cycle; an interval of rest is due.
            return false;
        }

        if (ownership is not null)
        {
            PartitionRun run = new(context, ownership);
            TaskCompletionSource registered = new(TaskCreationOptions.RunContinuationsAsynchronously);
            runs[claim.PartitionId] = (run, RunAsync(run, registered.Task, stopping));
            registered.SetResult();
        }

        return true;
    }

    // Never faults: what went wrong ends the processor. Begins when it is registered, since it ends by taking itself out.
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
                MaxDegreeOfParallelism = RenewalsAtOnce,
                TaskScheduler = TaskScheduler.Current,
                CancellationToken = cancellationToken,
            },
            static async (one, token) =>
            {
                try
                {
                    await one.Run.RenewAsync(token).ConfigureAwait(false);
                }
                catch (MessagingException passing) when (passing.IsTransient)
                {
                    // The others are renewed all the same; this one is tried again in the next cycle, before it expires.
                }
            }
        );

    // Partitions that take their time to drain stay ours meanwhile.
    private async Task CloseAllAsync()
    {
        while (true)
        {
            Task all = Task.WhenAll(runs.Values.Select(static one => one.Task));
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
        using CancellationTokenSource limit = new(options.BalancingInterval, options.TimeProvider);
        try
        {
            await RenewAllAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is MessagingException or OperationCanceledException)
        {
            // What could not be renewed may expire; its checkpoint is fenced.
        }
    }

    // The first failure is the one to throw.
    private void Fail(Exception exception, CancellationTokenSource stopping)
    {
        if (Interlocked.CompareExchange(ref failure, ExceptionDispatchInfo.Capture(exception), null) is null)
        {
            options.Failing?.Invoke(exception);
        }

        stopping.Cancel();
    }
}
