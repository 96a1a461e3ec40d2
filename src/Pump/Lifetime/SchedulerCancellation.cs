namespace EventHubThroughput.Pump.Lifetime;

/// <summary>Cancellation as a step of its own on the caller's scheduler.</summary>
internal static class SchedulerCancellation
{
    /// <summary>
    /// Cancels, and completes when everybody who registered has been told. CancelAsync would tell them on the thread pool, whatever
    /// scheduler the caller runs on, and Cancel inside the caller.
    /// </summary>
    public static Task CancelOnSchedulerAsync(this CancellationTokenSource source) =>
        Task.Factory.StartNew(source.Cancel, CancellationToken.None, TaskCreationOptions.DenyChildAttach, TaskScheduler.Current);
}
