using System.Runtime.ExceptionServices;
using EventHubThroughput.Clients.EventHubs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Runs the package's processor, which has a start and a stop, as ours, which runs until it is stopped or fails.</summary>
internal sealed class OfficialEventHubProcessor(
    HandlingProcessor processor,
    EventHubProcessorOptions options,
    string entity,
    EventHubFailures failures,
    ILogger log
) : IEventHubProcessor
{
    public IReadOnlyCollection<string> OwnedPartitions => processor.OwnedPartitions;

    public async Task RunAsync(CancellationToken stoppingToken)
    {
        if (!await StartAsync(stoppingToken).ConfigureAwait(false))
        {
            return;
        }

        var failure = await EndAsync(stoppingToken).ConfigureAwait(false);
        processor.BeginStopping();
        if (failure is not null)
        {
            Log.ProcessorFailed(log, options.Identifier, failure);
            options.Failing?.Invoke(failure);
        }

        try
        {
            // Not the stopping token: partitions are closed within their handlers' limits, and given up.
            await processor.StopProcessingAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            failure ??= EventHubFailures.Of(exception, entity);
        }

        failure ??= processor.Failed.IsCompleted ? await processor.Failed.ConfigureAwait(false) : null;
        if (failure is not null)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    // False when it was stopped first.
    private async Task<bool> StartAsync(CancellationToken stoppingToken)
    {
        try
        {
            await failures.WatchAsync(processor.StartProcessingAsync(stoppingToken), stoppingToken).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            return false;
        }
        catch (Exception exception)
        {
            var failure = EventHubFailures.Of(exception, entity);
            options.Failing?.Invoke(failure);
            throw failure;
        }
    }

    // The failure that ended the run. Null when it was stopped.
    private async Task<Exception?> EndAsync(CancellationToken stoppingToken)
    {
        try
        {
            return await processor.Failed.WaitAsync(stoppingToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            return null;
        }
    }
}
