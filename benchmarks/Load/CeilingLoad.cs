namespace EventHubThroughput.Load;

/// <summary>A load of the ceiling, which runs against a separate emulator.</summary>
/// <param name="Name">Its row.</param>
/// <param name="RunAsync">Runs it once.</param>
/// <param name="WithJournal">Whether the emulator keeps a journal, as it does in every run of the consumer.</param>
/// <param name="Partitions">The partitions of the hub.</param>
/// <param name="MessageLife">How long a message is kept that is not received. Null keeps it without limit.</param>
/// <param name="MemoryLimit">The emulator's memory limit in MiB, for loads whose data is not deleted. Null is its default.</param>
internal sealed record CeilingLoad(
    string Name,
    Func<EmulatorProcess, CancellationToken, Task<Measured>> RunAsync,
    bool WithJournal = false,
    int Partitions = CeilingLoads.UsualPartitions,
    string? MessageLife = null,
    int? MemoryLimit = null
)
{
    /// <summary>Starts the emulator, runs the load and stops the emulator. The journal is deleted.</summary>
    public async Task<Measured> RunOnceAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        using var journal = new TemporaryFile();

        // A journal replaces no file of another kind.
        File.Delete(journal.Path);
        string[] journalled = WithJournal ? ["--journal", journal.Path, "--journal-properties", "eht-run,eht-index"] : [];
        string[] limited = MemoryLimit is { } mebibytes ? ["--memory-limit", $"{mebibytes}"] : [];
        var kept = CeilingLoads.RetentionBytes / Math.Max(1, Partitions / CeilingLoads.UsualPartitions);
        await using var emulator = await EmulatorProcess.StartAsync(kept, null, [.. limited, .. journalled], clock, cancellationToken, Partitions, MessageLife);
        return await RunAsync(emulator, cancellationToken);
    }
}
