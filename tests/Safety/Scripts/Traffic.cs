using System.Diagnostics;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Events that come in a burst, or hardly at all, to a consumer that follows the hub.</summary>
internal static class Traffic
{
    private const double MostOfAProcessor = 0.02;
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(20);

    /// <summary>The hub is empty when the consumer starts.</summary>
    public static Task NothingYet(Stage stage, CancellationToken token) => Task.CompletedTask;

    /// <summary>All of the events within a second.</summary>
    public static async Task<FinishedProcess> BurstAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.RecordedAsync("own.write", 1, token);
        await stage.SendAsync($"--size 256 --keys 64 --rate {stage.Cell.Events}", token);
        await stage.ArchivedAsync(1, token);
        await consumer.SignalAsync("TERM");
        return await stage.EndAsync(consumer, token);
    }

    /// <summary>Everything is done. The system measures how much processor time the consumer then uses.</summary>
    public static async Task<FinishedProcess> IdleAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.ArchivedAsync(1, token);
        await Task.Delay(Settling, TimeProvider.System, token);
        var before = Used(consumer.Id);
        await Task.Delay(Idle, TimeProvider.System, token);
        var share = (Used(consumer.Id) - before) / Idle;
        stage.Expect(share < MostOfAProcessor, $"idle, it took {share:P1} of a processor");
        await consumer.SignalAsync("TERM");
        return await stage.EndAsync(consumer, token);
    }

    private static TimeSpan Used(int id)
    {
        using var process = Process.GetProcessById(id);
        return process.TotalProcessorTime;
    }
}
