using System.Text.Json;
using EventHubThroughput.Emulator;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Interop;

/// <summary>
/// An official consumer with the official checkpoint store (js/shared-group.mjs, python/shared_group.py) in a process. It first reports the
/// checkpoints that its store lists, then each event after the checkpoint was stored.
/// </summary>
internal sealed class PeerConsumer : IAsyncDisposable
{
    private readonly RunningProcess process;
    private readonly TaskCompletionSource<IReadOnlyList<PeerCheckpoint>> listed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task reading;

    private PeerConsumer(RunningProcess process, Action<Sighting> report)
    {
        this.process = process;
        reading = ReadAsync(report);
    }

    /// <summary>The checkpoints that were stored when the peer started, by partition.</summary>
    public Task<IReadOnlyList<PeerCheckpoint>> Listed => listed.Task;

    public static PeerConsumer Start(PeerScript script, EmulatorHost emulator, Action<Sighting> report) => new(script.Start(emulator.Settings), report);

    /// <summary>What the peer has written to its standard error.</summary>
    public IEnumerable<string> Errors() => process.LastErrors();

    /// <summary>Ends the peer, which gives its partitions up if its SDK does that.</summary>
    public async Task StopAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        await process.StopAsync(patience);
        await reading.WaitAsync(patience, cancellationToken);
    }

    public async ValueTask DisposeAsync() => await process.DisposeAsync();

    private async Task ReadAsync(Action<Sighting> report)
    {
        while (await process.ReadLineAsync(CancellationToken.None) is { } line)
        {
            using var document = JsonDocument.Parse(line);
            if (document.RootElement.TryGetProperty("checkpoints", out var checkpoints))
            {
                listed.TrySetResult([.. checkpoints.EnumerateArray().Select(GetCheckpoint).OrderBy(static one => one.Partition, StringComparer.Ordinal)]);
            }
            else
            {
                report(new Sighting(document.RootElement.GetProperty("partition").GetString()!, GetSequenceNumber(document.RootElement), IsOurs: false));
            }
        }

        listed.TrySetException(new InvalidOperationException($"the peer listed no checkpoints\n{string.Join('\n', Errors())}"));
    }

    private static PeerCheckpoint GetCheckpoint(JsonElement checkpoint) =>
        new(checkpoint.GetProperty("partition").GetString()!, GetSequenceNumber(checkpoint), checkpoint.GetProperty("offset").GetString());

    private static long GetSequenceNumber(JsonElement element) => element.GetProperty("sequence").GetInt64();
}

/// <summary>A stored checkpoint as a peer's store reads it.</summary>
internal sealed record PeerCheckpoint(string Partition, long SequenceNumber, string? Offset);
