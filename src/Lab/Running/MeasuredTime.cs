using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Running;

/// <summary>Ends a run when enough of it was measured.</summary>
internal static class MeasuredTime
{
    // The time that a run may take beside its measuring times: to claim its partitions, and to complete an event that ends the section.
    private static readonly TimeSpan Allowance = TimeSpan.FromSeconds(90);

    /// <summary>Does the work until it is done or until the measuring time has expired. Without a measuring time, until it is done.</summary>
    /// <param name="work">The work. It is cancelled when enough was measured.</param>
    /// <param name="measurement">What measures it.</param>
    /// <param name="times">For how long.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Cancels the work.</param>
    public static async Task RunAsync(
        Func<CancellationToken, Task> work,
        RunMeasurement measurement,
        MeasuringTimes? times,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        if (times?.Length is not { } length)
        {
            await work(cancellationToken);
            return;
        }

        using var enough = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var working = work(enough.Token);
        using var limit = new CancellationTokenSource((times.WarmUp ?? TimeSpan.Zero) + length + Allowance, clock);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, enough.Token);
        await Task.WhenAny(working, measurement.Ended.WaitAsync(over.Token));
        if (working.IsCompleted)
        {
            await enough.CancelAsync();
            await working;
            return;
        }

        await enough.CancelAsync();
        try
        {
            await working;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Enough was measured.
        }
    }
}
