using System.Globalization;
using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Processes;
using EventHubThroughput.Repository.Builds.Library;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Webhooks;

/// <summary>
/// The example that posts each event to HTTP. The journal has no record of a post, so the endpoint is the evidence. At each kill it has every event
/// that a checkpoint covers, except for those in a dead letter. In the end it has every event of the hub, byte for byte.
/// </summary>
[Collection<PackedExamplesCollection>]
public sealed class HttpSinkTests(PackedExamples examples, ITestOutputHelper output)
{
    private const int Events = 2000;
    private const int Partitions = 4;
    private const int RefusedForGood = 100;
    private const int Seed = 3;

    // The strategy of the example has a barrier, so at most one batch of a partition lacks a checkpoint.
    private const int Batch = 10;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Program => examples.GetProgram("HttpSink");

    [Fact]
    public async Task An_endpoint_has_each_event_although_it_refuses_some_and_the_consumer_is_killed()
    {
        await using var endpoint = await WebhookEndpoint.StartAsync(RefusedForGood, Cancellation);
        await using var emulator = await EmulatorProcess.StartAsync($"--profile article --partitions {Partitions}", Cancellation);
        var sent = await Programs.SenderAsync($"--count {Events} --ledger {emulator.File("ledger")}", emulator.Settings, Cancellation);
        Assert.True(sent.ExitCode == 0, sent.Error);
        var moments = new Random(Seed);
        var kills = Budget.Kills;

        for (var kill = 0; kill < kills; kill++)
        {
            await using var victim = Start(endpoint, emulator);
            await endpoint.WaitAsync(endpoint.Accepted + moments.Next(1, 3 * Events / (2 * kills)), Cancellation);
            victim.Kill();
            Assert.Equal(137, (await victim.EndAsync(Cancellation)).ExitCode);
            Assert.Equal([], MissingAt(endpoint, emulator));
        }

        await using var last = Start(endpoint, emulator);
        await JournalGrowth.WaitAsync(emulator.Journal, static records => IsThrough(records), Cancellation);
        await last.SignalAsync("TERM");
        var ended = await last.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);

        await emulator.StopAsync(Cancellation);
        Assert.Equal([], MissingAt(endpoint, emulator));
        var appended = JournalFile.Open(emulator.Journal).Records.OfType<EventAppended>().ToList();
        Assert.Equal(Events, appended.Count);
        Assert.Equal(
            appended.Where(one => !endpoint.IsRefused(one.Sequence)).ToDictionary(GetKey, static one => one.Sha256, StringComparer.Ordinal),
            endpoint.Stored.ToDictionary(StringComparer.Ordinal)
        );
        Assert.False(endpoint.HasChangedBody);
        Assert.Equal(appended.Where(one => endpoint.IsRefused(one.Sequence)).Select(GetKey).ToHashSet(), GetDeadLetters(emulator));
        var repeated = endpoint.Accepted - endpoint.Stored.Count;
        output.WriteLine($"{kills} kills: {endpoint.Accepted} posts of {endpoint.Stored.Count} events, {repeated} repeated");
        Assert.InRange(repeated, 1, kills * Partitions * Batch);
    }

    [Fact]
    public async Task A_checkpoint_that_passes_an_event_without_a_post_is_found()
    {
        await using var endpoint = await WebhookEndpoint.StartAsync(refusedForGood: null, Cancellation);
        await using var emulator = await EmulatorProcess.StartAsync("--profile none", Cancellation);
        var sent = await Programs.SenderAsync("--count 20", emulator.Settings, Cancellation);
        Assert.True(sent.ExitCode == 0, sent.Error);

        // A consumer without the sink: it stores checkpoints for events that are never posted.
        await using var other = Programs.Start(examples.GetProgram("Handler"), "", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, static records => IsThrough(records), Cancellation);

        Assert.Equal(20, MissingAt(endpoint, emulator).Count);
    }

    [Fact]
    public async Task The_consumer_program_writes_to_the_sinks_that_are_named_and_judges_them()
    {
        await using var endpoint = await WebhookEndpoint.StartAsync(refusedForGood: null, Cancellation);
        using var folder = new TemporaryFolder();
        var kept = folder.File("kept");

        var run = await Programs.ConsumerAsync(
            $"--sinks servicebus,webhook --sink-assembly {Program}.dll --strategy combined --profile none --events 300 --no-metrics --keep {kept}",
            endpoint.Settings,
            Cancellation
        );

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("verdict: clean ", run.Output, StringComparison.Ordinal);
        Assert.Contains("unjudged    webhook: ", run.Output, StringComparison.Ordinal);
        Assert.Equal(300, endpoint.Stored.Count);
        var (ledger, journal) = (EmbeddedFolder.LedgerIn(kept), EmbeddedFolder.JournalIn(kept));
        var evidence = $"--ledger {ledger} --journal {journal}";
        Assert.DoesNotContain(JournalFile.Open(journal).Records.OfType<BlobWritten>(), static blob => blob.Container == "archive");
        Assert.Equal(0, (await Programs.ConsumerAsync($"verify {evidence} --sinks servicebus,webhook", settings: null, Cancellation)).ExitCode);

        var both = await Programs.ConsumerAsync($"verify {evidence}", settings: null, Cancellation);
        Assert.Equal(3, both.ExitCode);
        Assert.Contains("lost 300", both.Error, StringComparison.Ordinal);
    }

    private RunningProcess Start(WebhookEndpoint endpoint, EmulatorProcess emulator) =>
        Programs.Start(Program, "", emulator.Settings.Concat(endpoint.Settings).ToDictionary(StringComparer.Ordinal));

    // The events that a checkpoint covers and that are neither at the endpoint nor in a dead letter.
    private static List<string> MissingAt(WebhookEndpoint endpoint, EmulatorProcess emulator)
    {
        var stored = StoredCheckpoints.In(JournalFile.Open(emulator.Journal).Records);
        var deadLetters = GetDeadLetters(emulator);
        return
        [
            .. JournalFile
                .Open(emulator.Journal)
                .Records.OfType<EventAppended>()
                .Where(one => one.Sequence <= stored.GetValueOrDefault(one.Partition, -1))
                .Select(GetKey)
                .Where(key => !endpoint.Stored.ContainsKey(key) && !deadLetters.Contains(key)),
        ];
    }

    private static string GetKey(EventAppended one) => GetKey(one.Hub, one.Partition, one.Sequence);

    private static string GetKey(string hub, string partition, long sequence) => string.Create(CultureInfo.InvariantCulture, $"{hub}/{partition}/{sequence}");

    private static HashSet<string> GetDeadLetters(EmulatorProcess emulator) =>
        [
            .. JournalFile
                .Open(emulator.Journal)
                .Records.OfType<BlobWritten>()
                .Where(static blob => blob is { Moment: WriteMoment.Stored, Container: "deadletters" })
                .Select(static blob => blob.Name.Split('/'))
                .Where(static name => !name[2].Contains('.', StringComparison.Ordinal))
                .Select(static name => GetKey(name[0], name[1], long.Parse(name[2], CultureInfo.InvariantCulture))),
        ];

    private static bool IsThrough(IEnumerable<JournalRecord> journal)
    {
        var records = journal.ToList();
        var stored = StoredCheckpoints.In(records);
        return records
            .OfType<EventAppended>()
            .GroupBy(static one => one.Partition)
            .All(part => stored.GetValueOrDefault(part.Key, -1) == part.Max(static one => one.Sequence));
    }
}
