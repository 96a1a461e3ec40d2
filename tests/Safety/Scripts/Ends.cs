using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Consumers that are ended from outside, and the result of the next one.</summary>
internal static class Ends
{
    private const string MessageWritten = "K2";

    // Of the events of a cell, sent in batches: so few at the least.
    private const int LeastBatches = 8;

    /// <summary>Killed at a moment that the seed draws. The next consumer has the given name.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> KilledThenRestarted(string next) =>
        async (stage, token) =>
        {
            var victim = stage.StartConsumer();
            await stage.ArchivedAsync(Moment(stage), token);
            victim.Kill();
            var killed = await stage.EndAsync(victim, token);
            stage.Expect(killed.ExitCode == 137, $"killed, it ended with {killed.ExitCode}");
            return await stage.EndAsync(stage.StartConsumer(next), token);
        };

    /// <summary>Killed this number of times, each time after it has written something, and started again.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> KilledAgainAndAgain(int times) =>
        async (stage, token) =>
        {
            for (var time = 1; time <= times; time++)
            {
                var victim = stage.StartConsumer();
                await stage.ArchivedAsync(0.9 * time / times, token);
                victim.Kill();
                var killed = await stage.EndAsync(victim, token);
                stage.Expect(killed.ExitCode == 137, $"killed for the {time}th time, it ended with {killed.ExitCode}: {killed.Error.Trim()}");
            }

            return await stage.ConsumeAsync(token);
        };

    /// <summary>
    /// Killed by itself at a kill point. The seed draws one of this number of passes, from the first on. The next consumer has the given name.
    /// </summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> KilledAt(string point, int first, int times, string next) =>
        async (stage, token) =>
        {
            var most = point == MessageWritten && stage.Cell.SendsBatches ? LeastBatches : times;
            var time = first + (int)(most * stage.Cell.Draw(2));
            var killed = await stage.EndAsync(stage.StartConsumer(more: $"--kill-at {point}:{time}"), token);
            stage.Expect(killed.ExitCode == 137, $"to be killed at {point}:{time}, it ended with {killed.ExitCode}: {killed.Error.Trim()}");
            return await stage.EndAsync(stage.StartConsumer(next), token);
        };

    /// <summary>Asked to end at a moment that the seed draws, then started again.</summary>
    public static async Task<FinishedProcess> DrainedThenRestartedAsync(Stage stage, CancellationToken token)
    {
        var first = stage.StartConsumer();
        await stage.ArchivedAsync(Moment(stage), token);
        await first.SignalAsync("TERM");
        var drained = await stage.EndAsync(first, token);
        stage.Expect(drained.ExitCode == 0, $"drained, it ended with {drained.ExitCode}: {drained.Error.Trim()}");
        return await stage.ConsumeAsync(token);
    }

    /// <summary>Asked to end while its writes get no answer.</summary>
    public static async Task<FinishedProcess> StoppedWhileStuckAsync(Stage stage, CancellationToken token)
    {
        var stuck = stage.StartConsumer();
        await stage.RecordedAsync("fault", 1, token);
        await stuck.SignalAsync("TERM");
        return await stage.EndAsync(stuck, token);
    }

    /// <summary>Stopped twice: the second time it ends immediately.</summary>
    public static async Task<FinishedProcess> InterruptedTwiceAsync(Stage stage, CancellationToken token)
    {
        var stuck = stage.StartConsumer();
        await stage.RecordedAsync("fault", 1, token);
        await stuck.SignalAsync("INT");

        // The second must not be merged with it.
        await stuck.WaitForOutputAsync("A second signal ends the program", token);
        await stuck.SignalAsync("INT");
        return await stage.EndAsync(stuck, token);
    }

    private static double Moment(Stage stage) => 0.1 + (0.6 * stage.Cell.Draw(2));
}
