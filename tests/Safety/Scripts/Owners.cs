using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>Several consumers of one group, that come, go, sleep and fight.</summary>
internal static class Owners
{
    // The owner that everything is expected of is the one started first.
    private const string Other = "two";

    /// <summary>Paused by the system for this time, while another one is there to take over. Then it wakes.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> Paused(TimeSpan pause) =>
        async (stage, token) =>
        {
            var sleeper = stage.StartConsumer();
            await stage.ArchivedAsync(0.1 + (0.2 * stage.Cell.Draw(4)), token);
            var other = stage.StartConsumer(Other);
            await sleeper.SignalAsync("STOP");
            await WaitAsync(pause, token);
            await sleeper.SignalAsync("CONT");
            var second = await stage.EndAsync(other, token);
            stage.Expect(second.ExitCode == 0, $"the other one ended with {second.ExitCode}: {second.Error.Trim()}");
            return await stage.EndAsync(sleeper, token);
        };

    /// <summary>Stopped for half a second again and again, as by a collector of garbage that takes its time.</summary>
    public static async Task<FinishedProcess> StutteringAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        var end = stage.EndAsync(consumer, token);
        while (!end.IsCompleted)
        {
            await WaitAsync(TimeSpan.FromSeconds(1), token);
            if (!end.IsCompleted)
            {
                await consumer.SignalAsync("STOP");
                await WaitAsync(TimeSpan.FromMilliseconds(500), token);
                await consumer.SignalAsync("CONT");
            }
        }

        return await end;
    }

    /// <summary>A second one joins and leaves again, this number of times.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> JoinedAndLeft(int times, TimeSpan stay) =>
        async (stage, token) =>
        {
            var first = stage.StartConsumer();
            await stage.ArchivedAsync(0.05, token);
            for (var time = 0; time < times; time++)
            {
                var guest = stage.StartConsumer(Other);
                await WaitAsync(stay, token);
                await guest.SignalAsync("TERM");
                var left = await stage.EndAsync(guest, token);
                stage.Expect(left.ExitCode == 0, $"the guest ended with {left.ExitCode}: {left.Error.Trim()}");
                await WaitAsync(stay, token);
            }

            return await stage.EndAsync(first, token);
        };

    /// <summary>A second one works on the same group with a separate checkpoint store: the two take the links from each other.</summary>
    public static async Task<FinishedProcess> FoughtAsync(Stage stage, CancellationToken token)
    {
        var first = stage.StartConsumer();
        await stage.ArchivedAsync(0.05, token);
        var fighter = stage.StartConsumer(
            Other,
            environment: new Dictionary<string, string>(StringComparer.Ordinal)
            {
                // Neither has dead letters here.
                ["CHECKPOINT_CONTAINER"] = "deadletters",
                ["DEADLETTER_CONTAINER"] = "checkpoints",
            }
        );
        var end = await stage.EndAsync(first, token);
        if (!fighter.HasEnded)
        {
            await fighter.SignalAsync("KILL");
        }

        await fighter.EndAsync(token);
        return end;
    }

    /// <summary>The clock of its machine is set, which libfaketime simulates. The monotonic clock continues.</summary>
    public static async Task<FinishedProcess> ClockSteppedAsync(Stage stage, CancellationToken token)
    {
        var library = Directory.EnumerateFiles("/usr/lib", "libfaketimeMT.so.1", WithoutLinks).FirstOrDefault();
        stage.Expect(library is not null, "libfaketime is missing: the Debian package faketime has it");
        var clock = stage.File("clock");
        await File.WriteAllTextAsync(clock, "+0\n", token);
        var stepped = stage.StartConsumer(
            environment: new Dictionary<string, string>(StringComparer.Ordinal)
            {
                ["LD_PRELOAD"] = library ?? "",
                ["FAKETIME_TIMESTAMP_FILE"] = clock,
                ["FAKETIME_NO_CACHE"] = "1",
                ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
            }
        );
        await stage.ArchivedAsync(0.05, token);
        var other = stage.StartConsumer(Other);
        foreach (var offset in new[] { "+300", "-300" })
        {
            await File.WriteAllTextAsync(clock, offset + "\n", token);
            await WaitAsync(TimeSpan.FromSeconds(4), token);
        }

        var second = await stage.EndAsync(other, token);
        stage.Expect(second.ExitCode == 0, $"the other one ended with {second.ExitCode}: {second.Error.Trim()}");
        return await stage.EndAsync(stepped, token);
    }

    // A link may lead back to its own place.
    private static EnumerationOptions WithoutLinks => new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };

    private static Task WaitAsync(TimeSpan time, CancellationToken token) => Task.Delay(time, TimeProvider.System, token);
}
