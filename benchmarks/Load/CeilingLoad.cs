namespace EventHubThroughput.Load;

/// <summary>A load of the ceiling, run against an emulator of its own.</summary>
/// <param name="Name">Its row.</param>
/// <param name="RunAsync">Runs it once.</param>
/// <param name="WithJournal">Whether the emulator keeps a journal, as it does in every run of the consumer.</param>
/// <param name="Partitions">Of the hub.</param>
/// <param name="MessageLife">How long a message is kept that nobody takes; for ever when null.</param>
/// <param name="MemoryLimit">What the emulator may hold, in MiB, where nobody deletes what is written; its own limit when null.</param>
internal sealed record CeilingLoad(
    string Name,
    Func<EmulatorProcess, CancellationToken, Task<Measured>> RunAsync,
    bool WithJournal = false,
    int Partitions = CeilingLoads.UsualPartitions,
    string? MessageLife = null,
    int? MemoryLimit = null
)
{
    /// <summary>Starts the emulator, runs the load and ends the emulator; the journal goes with it.</summary>
    public async Task<Measured> RunOnceAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        using var journal = new TemporaryFile();

        // A journal replaces nothing that is not one.
        File.Delete(journal.Path);
        string[] journalled = WithJournal ? ["--journal", journal.Path, "--journal-properties", "eht-run,eht-index"] : [];
        string[] limited = MemoryLimit is { } mebibytes ? ["--memory-limit", $"{mebibytes}"] : [];
        var kept = CeilingLoads.RetentionBytes / Math.Max(1, Partitions / CeilingLoads.UsualPartitions);
        await using var emulator = await EmulatorProcess.StartAsync(kept, null, [.. limited, .. journalled], clock, cancellationToken, Partitions, MessageLife);
        return await RunAsync(emulator, cancellationToken);
    }
}
