using System.Globalization;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using EventHubThroughput.Repository.Builds.Library;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Kills;

/// <summary>
/// A consumer that is killed while it works through a backlog, started again each time, and judged by ledger and journal. A moment is a size of the journal
/// of the emulator, which grows with each write of the consumer.
/// </summary>
internal sealed class KilledConsumer : IAsyncDisposable
{
    /// <summary>The partitions of the hub.</summary>
    public const int Partitions = 4;

    // One upload of a hundred takes 0.3 s longer, so events complete out of order.
    private const string SlowUploads = """
        {
          "name": "slow-uploads",
          "basedOn": "article-spread",
          "blobWrite": { "meanMs": 9.35, "cv": 0.5, "shape": "gamma", "stragglerEvery": 100, "stragglerMs": 300 }
        }
        """;

    // What the journal gets for an event that is delivered and written, about.
    private const int BytesOfEvent = 1_400;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);

    private readonly TemporaryFolder folder = new();
    private readonly string program;
    private readonly string arguments;
    private readonly int events;
    private EmulatorProcess emulator = null!;

    private KilledConsumer(string program, string arguments, int events) => (this.program, this.arguments, this.events) = (program, arguments, events);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>Starts an emulator, and sends it the backlog.</summary>
    public static async Task<KilledConsumer> PrepareAsync(string program, string arguments, int events)
    {
        var consumer = new KilledConsumer(program, arguments, events);
        try
        {
            await consumer.SendAsync();
            return consumer;
        }
        catch
        {
            await consumer.DisposeAsync();
            throw;
        }
    }

    /// <summary>Kills the consumer at random moments.</summary>
    /// <param name="kills">How often.</param>
    /// <param name="mostEvents">The most events that it handles between its start and a kill, about.</param>
    /// <param name="seed">Draws the moments.</param>
    public async Task KillAsync(int kills, int mostEvents, int seed)
    {
        var moments = new Random(seed);
        for (var kill = 0; kill < kills; kill++)
        {
            var moment = new FileInfo(emulator.Journal).Length + moments.Next(mostEvents * BytesOfEvent);
            await KillAsync(() => new FileInfo(emulator.Journal).Length >= moment);
        }
    }

    /// <summary>Kills the consumer when a checkpoint has passed an event that is not in the queue.</summary>
    public Task KillWhenAheadAsync() => KillAsync(() => IsAhead(JournalFile.Open(emulator.Journal).Records));

    /// <summary>Lets the consumer finish, and judges what it has left.</summary>
    /// <param name="promise">The order that it promises.</param>
    /// <param name="replayLimit">The most events of a partition that a kill may repeat. Null judges no repetitions.</param>
    public async Task<Verdict> FinishAsync(OrderPromise promise, int? replayLimit)
    {
        await using (var last = Start())
        {
            await UntilAsync(last, () => IsThrough(JournalFile.Open(emulator.Journal).Records));
            await last.SignalAsync("TERM");
            var ended = await last.EndAsync(Cancellation);
            Assert.True(ended.ExitCode == 0, ended.Error);
        }

        await emulator.StopAsync(Cancellation);
        return Earthquakes.Judge(emulator, Earthquakes.Read(emulator), promise, replayLimit);
    }

    public async ValueTask DisposeAsync()
    {
        if (emulator is not null)
        {
            await emulator.DisposeAsync();
        }

        folder.Dispose();
    }

    // The writes of a host that is judged read what the emulator prints, too.
    private RunningProcess Start() =>
        Programs.Start(
            program,
            arguments,
            ExampleSettings.Of(program, emulator).UnionBy(emulator.Settings, static variable => variable.Key).ToDictionary(StringComparer.Ordinal)
        );

    private async Task SendAsync()
    {
        var profile = folder.File("profile.json");
        await File.WriteAllTextAsync(profile, SlowUploads, Cancellation);
        emulator = await EmulatorProcess.StartAsync($"--profile {profile} --partitions {Partitions}", Cancellation);
        var sent = await Programs.SenderAsync($"--count {events} --size 200 --keys 400 --ledger {emulator.File("ledger")}", emulator.Settings, Cancellation);
        Assert.True(sent.ExitCode == 0, sent.Error);
    }

    private async Task KillAsync(Func<bool> isMoment)
    {
        await using var victim = Start();
        await UntilAsync(victim, isMoment);
        victim.Kill();
        Assert.Equal(137, (await victim.EndAsync(Cancellation)).ExitCode);
    }

    private static async Task UntilAsync(RunningProcess consumer, Func<bool> isMoment)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        limit.CancelAfter(Programs.Limit);
        using var look = new PeriodicTimer(Look);
        while (!isMoment())
        {
            Assert.False(consumer.HasEnded, $"{consumer.Name} has ended by itself");
            await look.WaitForNextTickAsync(limit.Token);
        }
    }

    // Some checkpoint of each partition is at its last event: a consumer that stores them out of order may have another one in the end.
    private bool IsThrough(IEnumerable<JournalRecord> journal)
    {
        var (appended, stored) = (new Dictionary<string, long>(StringComparer.Ordinal), new Dictionary<string, long>(StringComparer.Ordinal));
        foreach (var record in journal)
        {
            if (record is EventAppended one)
            {
                appended[one.Partition] = one.Sequence;
            }
            else if (record is CheckpointWritten { Moment: WriteMoment.Stored } checkpoint)
            {
                stored[checkpoint.Partition] = Math.Max(stored.GetValueOrDefault(checkpoint.Partition, -1), GetSequence(checkpoint));
            }
        }

        Assert.Equal(events, appended.Values.Sum(static last => last + 1));
        return appended.All(last => stored.GetValueOrDefault(last.Key, -1) == last.Value);
    }

    private static bool IsAhead(IEnumerable<JournalRecord> journal)
    {
        var (stored, messages) = (new Dictionary<string, long>(StringComparer.Ordinal), new HashSet<string>(StringComparer.Ordinal));
        foreach (var record in journal)
        {
            if (record is MessageWritten { Moment: WriteMoment.Stored } message)
            {
                messages.Add(message.MessageId);
            }
            else if (record is CheckpointWritten { Moment: WriteMoment.Stored } checkpoint)
            {
                stored[checkpoint.Partition] = GetSequence(checkpoint);
            }
        }

        return stored.Any(last => Enumerable.Range(0, (int)last.Value + 1).Any(sequence => !messages.Contains($"hub-{last.Key}-{sequence}")));
    }

    private static long GetSequence(CheckpointWritten checkpoint) => long.Parse(checkpoint.Sequence!, CultureInfo.InvariantCulture);
}
