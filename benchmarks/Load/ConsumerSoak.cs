using System.Globalization;
using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>
/// Runs emulator, sender and consumer as separate processes, with a fault every turn. At the end the consumer drains, and <c>consumer verify</c> judges
/// ledger and journal. Progress is read from the stored checkpoints.
/// </summary>
internal sealed class ConsumerSoak(string strategy, TimeSpan time, int rate, TimeSpan turn, CommandConsole console, TimeProvider clock)
{
    private const string Partition = "0";
    private const int RetentionBytes = 1 << 30;
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan DrainLimit = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan EndLimit = TimeSpan.FromMinutes(2);

    private readonly SoakWatch _watch = new();
    private readonly SoakLag _lag = new(rate);
    private readonly StringBuilder _report = new();
    private readonly List<string> _failures = [];

    /// <summary>Returns whether the soak passed, and its report as Markdown.</summary>
    public async Task<(bool Passed, string Report)> RunAsync(CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("soak-");
        var (ledger, journal) = (Path.Combine(folder.FullName, "ledger"), Path.Combine(folder.FullName, "journal"));
        await LoadAsync(ledger, journal, cancellationToken);
        var verdict = await VerifyAsync(ledger, journal, cancellationToken);
        var (flat, lines) = _watch.Judge();
        var (returned, lag) = _lag.Judge();
        foreach (var line in (string[])["", .. lines.Select(static line => $"consumer, {line}"), lag, verdict, .. _failures])
        {
            await WriteAsync(line.Length == 0 ? line : $"- {line}");
        }

        var passed = flat && returned && _failures.Count == 0;
        if (passed)
        {
            folder.Delete(recursive: true);
        }
        else
        {
            await console.Error.WriteLineAsync($"ledger and journal are kept in {folder.FullName}");
        }

        return (passed, _report.ToString());
    }

    private async Task LoadAsync(string ledger, string journal, CancellationToken cancellationToken)
    {
        string[] arguments = ["--profile", "article", "--journal", journal, "--journal-properties", "eht-run,eht-index"];
        await using var emulator = await EmulatorProcess.StartAsync(RetentionBytes, null, arguments, clock, cancellationToken, partitions: 1);
        await using var clients = emulator.CreateClients(ClientFamily.BuiltIn);
        using var faults = new FaultRotation(emulator.Settings);
        var count = (long)(rate * time.TotalSeconds);
        await using var sender = ChildProgram.Start(
            "sender",
            ["--rate", $"{rate}/s", "--count", $"{count}", "--size", "256", "--keys", "64", "--ledger", ledger, "--quiet"],
            emulator.Settings,
            clock
        );
        await using var consumer = ChildProgram.Start(
            "consumer",
            [
                "--follow",
                $"--strategy={strategy}",
                "--prefetch",
                "0",
                "--no-metrics",
                "--balancing-interval",
                "1s",
                "--ownership-expiry",
                "5s",
                "--drain-limit",
                "30s",
            ],
            emulator.Settings,
            clock
        );

        await WatchAsync(clients, faults, consumer, cancellationToken);
        await faults.EndAsync(cancellationToken);
        await ExpectEndAsync(sender, cancellationToken);
        await DrainAsync(clients, consumer, cancellationToken);
        if (!consumer.HasEnded)
        {
            await consumer.TerminateAsync();
        }

        await ExpectEndAsync(consumer, cancellationToken);
        await WriteAsync("");
        await WriteAsync("| fault | armed | struck | largest lag at its end |");
        await WriteAsync("|---|--:|--:|--:|");
        foreach (var (name, (armed, struck)) in faults.Counts.OrderBy(static one => one.Key, StringComparer.Ordinal))
        {
            var largest = _lag.Largest.TryGetValue(name, out var events) ? events.ToString(CultureInfo.InvariantCulture) : "-";
            await WriteAsync($"| {name} | {armed} | {struck} | {largest} |");
        }
    }

    private async Task WatchAsync(IMessagingClients clients, FaultRotation faults, ChildProgram consumer, CancellationToken cancellationToken)
    {
        await WriteAsync("| minute | appended | checkpointed | lag | consumer, MB | handles |");
        await WriteAsync("|--:|--:|--:|--:|--:|--:|");
        var row = TimeSpan.FromTicks(Math.Min(TimeSpan.TicksPerMinute, time.Ticks / 8));
        var (start, turns, rows) = (clock.GetTimestamp(), 0, 0);
        using var timer = new PeriodicTimer(Second, clock);
        while (clock.GetElapsedTime(start) is var elapsed && elapsed < time && consumer.Look() is var (resident, handles))
        {
            await timer.WaitForNextTickAsync(cancellationToken);
            _watch.Sample(resident, handles);
            if (elapsed >= (turns + 1) * turn)
            {
                if (turns > 0)
                {
                    var (sent, stored) = await PositionsAsync(clients, cancellationToken);
                    _lag.EndTurn(SoakFaults.GetName(turns - 1), sent - stored);
                }

                await faults.TurnAsync(turns++, cancellationToken);
            }

            if (elapsed >= (rows + 1) * row)
            {
                rows++;
                var (appended, checkpointed) = await PositionsAsync(clients, cancellationToken);
                _watch.EndRow(("appended", appended), ("checkpointed", checkpointed));
                await WriteAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {elapsed.TotalMinutes:F1} | {appended} | {checkpointed} | {appended - checkpointed} | {resident / 1e6:F0} | {handles} |"
                    )
                );
            }
        }
    }

    private async Task DrainAsync(IMessagingClients clients, ChildProgram consumer, CancellationToken cancellationToken)
    {
        var start = clock.GetTimestamp();
        using var timer = new PeriodicTimer(Second, clock);
        while (!consumer.HasEnded)
        {
            var (appended, checkpointed) = await PositionsAsync(clients, cancellationToken);
            if (checkpointed >= appended)
            {
                return;
            }

            if (clock.GetElapsedTime(start) > DrainLimit)
            {
                _failures.Add($"{appended - checkpointed} events were not processed within {DurationText.Format(DrainLimit)} after the last fault");
                return;
            }

            await timer.WaitForNextTickAsync(cancellationToken);
        }
    }

    private static async Task<(long Appended, long Checkpointed)> PositionsAsync(IMessagingClients clients, CancellationToken cancellationToken)
    {
        var stored = await clients.CheckpointStore.ReadCheckpointAsync(Partition, cancellationToken);
        var end = await clients.GetPartitionPropertiesAsync(Partition, cancellationToken);
        return (end.LastSequenceNumber + 1, stored is null ? 0 : stored.Position.SequenceNumber + 1);
    }

    private async Task ExpectEndAsync(ChildProgram program, CancellationToken cancellationToken)
    {
        var (exitCode, _, lastLines) = await program.EndAsync(EndLimit, cancellationToken);
        if (exitCode != 0)
        {
            _failures.Add($"the {program.Name} ended with {exitCode}: {lastLines}");
        }
    }

    private async Task<string> VerifyAsync(string ledger, string journal, CancellationToken cancellationToken)
    {
        using var result = new TemporaryFile();
        await using var verify = ChildProgram.Start(
            "consumer",
            ["verify", "--ledger", ledger, "--journal", journal, $"--strategy={strategy}", "--output", result.Path],
            new Dictionary<string, string>(),
            clock
        );
        var (exitCode, _, lastLines) = await verify.EndAsync(EndLimit, cancellationToken);
        if (exitCode != 0)
        {
            _failures.Add($"consumer verify ended with {exitCode}: {lastLines}");
        }

        // Every verdict writes it, and nothing else does.
        return new FileInfo(result.Path).Length == 0 ? "no verdict" : (await ResultJson.ReadVerificationAsync(result.Path, cancellationToken)).Safety.Line;
    }

    private async Task WriteAsync(string line)
    {
        _report.AppendLine(line);
        await console.Output.WriteLineAsync(line);
    }
}
