using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>Runs everything at once for a long time and looks at the emulator's memory: what leaks shows.</summary>
internal static class SoakCommand
{
    private const int Leaking = 3;
    private const double LargestGrowth = 1.10;

    // Half a minute of events fills it.
    private const int RetentionBytes = 4 * 1024 * 1024;

    // 16 MB between collections: by itself the runtime lets garbage grow to the size of the processor's cache, and hides a leak in it.
    private const string YoungBytes = "1000000";

    private static readonly Option<int> Minutes = Options.Integer("--minutes", "how long", 30, 1, 10_000);
    private static readonly Option<int> Rate = Options.Integer("--rate", "events per second", 500, 10, 100_000);
    private static readonly Option<string?> Faults = Options.Text("--faults", "faults for the emulator", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Sends, receives and writes for a long time and fails when the emulator's memory grows.") { Minutes, Rate, Faults };
        root.SetAction((parsed, cancellationToken) => RunAsync(
            TimeSpan.FromMinutes(parsed.GetValue(Minutes)), parsed.GetValue(Rate), parsed.GetValue(Faults), console, clock, cancellationToken));
        return root;
    }

    private static async Task<int> RunAsync(
        TimeSpan time, int rate, string? faults, CommandConsole console, TimeProvider clock, CancellationToken cancellationToken)
    {
        string[] arguments = faults is null ? [] : ["--faults", faults];
        await using var emulator = await EmulatorProcess.StartAsync(RetentionBytes, YoungBytes, arguments, clock, cancellationToken);
        await using var clients = emulator.CreateClients();
        await using var load = new SoakLoad(clients, emulator.Settings, rate, clock);
        load.Start();
        return await WatchAsync(emulator, load, time, console, clock, cancellationToken);
    }

    private static async Task<int> WatchAsync(
        EmulatorProcess emulator, SoakLoad load, TimeSpan time, CommandConsole console, TimeProvider clock, CancellationToken cancellationToken)
    {
        await console.Output.WriteLineAsync("| minute | sent | received | messages | failures | resident, MB | handles | processor, % |");
        await console.Output.WriteLineAsync("|--:|--:|--:|--:|--:|--:|--:|--:|");
        var samples = new List<long>();
        var (start, lastRow, processor) = (clock.GetTimestamp(), clock.GetTimestamp(), emulator.ProcessorTime);
        var row = time / 30;
        while (clock.GetElapsedTime(start) < time)
        {
            await Task.Delay(TimeSpan.FromSeconds(1), clock, cancellationToken);
            load.ThrowIfFailed();
            samples.Add(emulator.ResidentBytes);
            if (clock.GetElapsedTime(lastRow) < row)
            {
                continue;
            }

            var used = 100 * (emulator.ProcessorTime - processor) / clock.GetElapsedTime(lastRow);
            (lastRow, processor) = (clock.GetTimestamp(), emulator.ProcessorTime);
            await console.Output.WriteLineAsync(string.Create(
                CultureInfo.InvariantCulture,
                $"| {clock.GetElapsedTime(start).TotalMinutes:F1} | {load.Sent} | {load.Received} | {load.Messages} | {load.Failures} | {samples[^1] / 1e6:F0} | {emulator.Handles} | {used:F0} |"));
        }

        // The first tenth fills what retention keeps.
        var settled = samples.Skip(samples.Count / 10).ToList();
        var third = settled.Count / 3;
        var (first, last) = (settled.Take(third).Average(), settled.TakeLast(third).Average());
        var flat = last <= first * LargestGrowth;
        await console.Output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"\nresident memory: {first / 1e6:F0} MB on average in the first third, {last / 1e6:F0} MB in the last ({100 * ((last / first) - 1):+0.0;-0.0} %): {(flat ? "flat" : "growing")}"));
        return flat ? 0 : Leaking;
    }
}
