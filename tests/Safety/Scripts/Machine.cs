using System.Globalization;
using EventHubThroughput.Processes;
using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Scripts;

/// <summary>What befalls the machine: full disks, lost services, little memory.</summary>
internal static class Machine
{
    private const string OlderResult = """{"run":{"schema":1,"id":"older"}}""";
    private const long MostBytes = 600L << 20;

    /// <summary>An older result is where the new one cannot be written. It must be unchanged afterwards.</summary>
    public static async Task<FinishedProcess> OverAnOlderResultAsync(Stage stage, CancellationToken token)
    {
        var older = stage.File("result-older.json");
        await File.WriteAllTextAsync(older, OlderResult, token);
        var finished = await stage.ConsumeAsync(token);
        stage.Expect(await File.ReadAllTextAsync(older, token) == OlderResult, "the older result is not as it was");
        stage.Expect(finished.Output.Contains("verdict:", StringComparison.Ordinal), "the outcome was not printed");
        return finished;
    }

    /// <summary>Refused before anything is read from the hub.</summary>
    public static async Task<FinishedProcess> RefusedAsync(Stage stage, CancellationToken token)
    {
        var finished = await stage.ConsumeAsync(token);
        using var deliveries = TextCounter.OfRecords(stage.Journal, "eh.deliver");
        deliveries.Advance();
        stage.Expect(deliveries.Count == 0, $"{deliveries.Count} events were read before it was refused");
        return finished;
    }

    /// <summary>The emulator ends in good order, is away for a while and comes back with its data.</summary>
    public static Task<FinishedProcess> ServiceRestartedAsync(Stage stage, CancellationToken token) => ServiceAwayAsync(stage, stage.StopEmulatorAsync, token);

    /// <summary>The emulator is killed and comes back with its data.</summary>
    public static Task<FinishedProcess> ServiceKilledAndRestartedAsync(Stage stage, CancellationToken token) =>
        ServiceAwayAsync(stage, stage.KillEmulatorAsync, token);

    /// <summary>The emulator is paused for this time, alone or with the consumer, and continues.</summary>
    public static Func<Stage, CancellationToken, Task<FinishedProcess>> ServiceHeld(TimeSpan time, bool alone) =>
        async (stage, token) =>
        {
            var consumer = stage.StartConsumer();
            await stage.ArchivedAsync(0.2 + (0.3 * stage.Cell.Draw(5)), token);
            await stage.SignalEmulatorAsync("STOP");
            if (!alone)
            {
                await consumer.SignalAsync("STOP");
            }

            await Task.Delay(time, TimeProvider.System, token);
            await stage.SignalEmulatorAsync("CONT");
            if (!alone)
            {
                await consumer.SignalAsync("CONT");
            }

            return await stage.EndAsync(consumer, token);
        };

    /// <summary>The emulator is killed and does not come back until the consumer has given up.</summary>
    public static async Task<FinishedProcess> ServiceGoneAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.ArchivedAsync(0.2 + (0.3 * stage.Cell.Draw(5)), token);
        await stage.KillEmulatorAsync(token);
        var finished = await stage.EndAsync(consumer, token);
        await stage.StartEmulatorAsync(token);
        return finished;
    }

    /// <summary>Works on a backlog far larger than its memory for a while, then is asked to end.</summary>
    public static async Task<FinishedProcess> WithLittleMemoryAsync(Stage stage, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.ArchivedAsync(0.03, token);
        var resident = PeakMemory(consumer.Id);
        stage.Expect(resident < MostBytes, $"{resident >> 20} MiB were resident");
        await consumer.SignalAsync("TERM");
        return await stage.EndAsync(consumer, token);
    }

    private static async Task<FinishedProcess> ServiceAwayAsync(Stage stage, Func<CancellationToken, Task> ends, CancellationToken token)
    {
        var consumer = stage.StartConsumer();
        await stage.ArchivedAsync(0.2 + (0.3 * stage.Cell.Draw(5)), token);
        await ends(token);
        await Task.Delay(TimeSpan.FromSeconds(5), TimeProvider.System, token);
        await stage.StartEmulatorAsync(token);
        return await stage.EndAsync(consumer, token);
    }

    private static long PeakMemory(int process)
    {
        var peak = File.ReadLines($"/proc/{process}/status").First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
        return long.Parse(peak.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) * 1024;
    }
}
