using System.CommandLine;
using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>Runs all clients concurrently for a long time and watches the emulator's memory and handles. It detects leaks and stalls.</summary>
internal static class SoakCommand
{
    private const int Failed = 3;

    // Short enough for thirty rows of a long soak, and long enough that no fault blocks a whole row.
    private static readonly TimeSpan ShortestRow = TimeSpan.FromSeconds(10);

    // Half a minute of events fills it.
    private const int RetentionBytes = 4 * 1024 * 1024;

    // 16 MB between collections. By default the runtime lets garbage grow to the size of the processor's cache, which hides a leak.
    private static readonly Dictionary<string, string> OftenCollected = new() { ["DOTNET_GCgen0size"] = "1000000" };

    private static readonly Option<int> Minutes = Options.Integer("--minutes", "how long", 30, 1, 10_000);
    private static readonly Option<int> Rate = Options.Integer("--rate", "events per second", 500, 10, 100_000);
    private static readonly Option<string?> Faults = Options.Text("--faults", "faults for the emulator", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Sends, receives and writes for a long time and fails when the emulator's memory or handles grow or anything stands still.")
        {
            Minutes,
            Rate,
            Faults,
        };
        root.SetAction(
            (parsed, cancellationToken) =>
                RunAsync(TimeSpan.FromMinutes(parsed.GetValue(Minutes)), parsed.GetValue(Rate), parsed.GetValue(Faults), console, clock, cancellationToken)
        );
        return root;
    }

    private static async Task<int> RunAsync(
        TimeSpan time,
        int rate,
        string? faults,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        using var journal = new TemporaryFile();
        string[] arguments = ["--journal", journal.Path, .. faults is null ? Array.Empty<string>() : ["--faults", faults]];
        await using var emulator = await EmulatorProcess.StartAsync(RetentionBytes, OftenCollected, arguments, clock, cancellationToken);
        await using var clients = emulator.CreateClients(ClientFamily.BuiltIn);
        await using var load = new SoakLoad(clients, emulator.Settings, rate, clock);
        load.Start();
        return await WatchAsync(emulator, load, time, console, clock, cancellationToken);
    }

    private static async Task<int> WatchAsync(
        EmulatorProcess emulator,
        SoakLoad load,
        TimeSpan time,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await console.Output.WriteLineAsync("| minute | sent | received | messages | failures | resident, MB | handles | processor, % |");
        await console.Output.WriteLineAsync("|--:|--:|--:|--:|--:|--:|--:|--:|");
        var watch = new SoakWatch();
        var (start, lastRow, processor) = (clock.GetTimestamp(), clock.GetTimestamp(), emulator.ProcessorTime);
        var row = time / 30 > ShortestRow ? time / 30 : ShortestRow;
        while (clock.GetElapsedTime(start) < time)
        {
            await Task.Delay(TimeSpan.FromSeconds(1), clock, cancellationToken);
            load.ThrowIfFailed();
            var (resident, handles) = (emulator.ResidentBytes, emulator.Handles);
            watch.Sample(resident, handles);
            if (clock.GetElapsedTime(lastRow) < row)
            {
                continue;
            }

            var used = 100 * (emulator.ProcessorTime - processor) / clock.GetElapsedTime(lastRow);
            watch.EndRow(("sent", load.Sent), ("received", load.Received), ("taken from the queue", load.Messages));
            (lastRow, processor) = (clock.GetTimestamp(), emulator.ProcessorTime);
            await console.Output.WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {(Math.Round(clock.GetElapsedTime(start) / row) * row).TotalMinutes:0.#} | {load.Sent} | {load.Received} | {load.Messages} | {load.Failures} | {resident / 1e6:F0} | {handles} | {used:F0} |"
                )
            );
        }

        var (passed, lines) = watch.Judge();
        await console.Output.WriteLineAsync();
        foreach (var line in lines)
        {
            await console.Output.WriteLineAsync(line);
        }

        return passed ? 0 : Failed;
    }
}
