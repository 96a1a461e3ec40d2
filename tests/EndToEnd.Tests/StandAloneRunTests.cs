using System.Text;
using System.Text.Json;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Emulator, sender and consumers started one by one, as in the README: 1,707 real earthquakes on four partitions.</summary>
public sealed class StandAloneRunTests
{
    [Theory]
    [EachFamily]
    public async Task Earthquakes_arrive_byte_for_byte_and_a_second_run_finds_nothing_to_do(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("", cancellationToken);
        await Earthquakes.SendAsync(emulator, $"--clients={clients}", cancellationToken);

        var first = await Programs.ConsumerAsync($"--clients={clients} --strategy=baseline --no-metrics", emulator.Settings, cancellationToken);
        Assert.True(first.ExitCode == 0, first.Error);
        Assert.Contains("undecided (no ledger, no journal)", first.Output, StringComparison.Ordinal);
        var second = await Programs.ConsumerAsync($"--clients={clients} --strategy=baseline --no-metrics", emulator.Settings, cancellationToken);
        Assert.True(second.ExitCode == 0, second.Error);

        await emulator.StopAsync(cancellationToken);
        var journal = Earthquakes.Read(emulator);
        HashSet<string> lines = [.. (await File.ReadAllLinesAsync(Earthquakes.Sample, cancellationToken)).Select(ComputeSha256)];
        BlobWritten[] blobs = [.. journal.OfType<BlobWritten>().Where(b => b.Moment == WriteMoment.Stored && b.Container == "archive")];
        MessageWritten[] messages = [.. journal.OfType<MessageWritten>().Where(m => m.Moment == WriteMoment.Stored)];
        Assert.Equal(Earthquakes.Count, blobs.Length);
        Assert.Equal(Earthquakes.Count, messages.Length);
        Assert.Equal(lines, blobs.Select(b => b.Sha256!).ToHashSet());
        Assert.Equal(lines, messages.Select(m => m.Sha256!).ToHashSet());

        var verdict = Earthquakes.Judge(emulator, journal, OrderPromise.Partition);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(0, verdict.DuplicateServiceBus);
        Assert.Equal(0, verdict.OrderStartKey + verdict.OrderEndKey + verdict.OverlapKey);
    }

    [Fact]
    public async Task Probes_of_a_namespace_make_a_profile_of_its_latencies()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article-constant", cancellationToken);

        var probed = await Programs.ConsumerAsync("profile --probes 50 --name probed", emulator.Settings, cancellationToken);

        Assert.True(probed.ExitCode == 0, probed.Error);
        Assert.Contains("note: the messages remain in queue", probed.Error, StringComparison.Ordinal);
        var laws = JsonDocument.Parse(probed.Output).RootElement;
        // Nothing is quicker than what the emulator keeps.
        Assert.True(laws.GetProperty("messageSend").GetProperty("meanMs").GetDouble() >= 18.5, probed.Output);
        Assert.True(laws.GetProperty("blobWrite").GetProperty("meanMs").GetDouble() >= 9.3, probed.Output);
        Assert.True(laws.GetProperty("checkpointWrite").GetProperty("meanMs").GetDouble() >= 24.6, probed.Output);
        await emulator.StopAsync(cancellationToken);
        var journal = Earthquakes.Read(emulator);
        Assert.Equal(53, journal.OfType<CheckpointWritten>().Count(static checkpoint => checkpoint.Moment == WriteMoment.Stored));
        Assert.Equal(53, journal.OfType<MessageWritten>().Count(static message => message.Moment == WriteMoment.Stored));
    }

    [Theory]
    [EachFamily]
    public async Task Two_concurrent_consumers_share_the_partitions(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, $"--clients={clients}", cancellationToken);

        var arguments = $"--clients={clients} --strategy=combined --no-metrics --balancing-interval 500ms --ownership-expiry 5s --identifier ";
        var one = Programs.ConsumerAsync(arguments + "one", emulator.Settings, cancellationToken);
        var two = Programs.ConsumerAsync(arguments + "two", emulator.Settings, cancellationToken);
        Assert.All(await Task.WhenAll(one, two), run => Assert.True(run.ExitCode == 0, run.Error));

        await emulator.StopAsync(cancellationToken);
        var journal = Earthquakes.Read(emulator);
        Assert.Equal(["one", "two"], journal.OfType<CheckpointWritten>().Select(c => c.ClientId).Distinct().Order());
        var verdict = Earthquakes.Judge(emulator, journal, OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(0, verdict.DuplicateBlob);
    }

    [Theory]
    [EachFamily("baseline")]
    [EachFamily("combined")]
    public async Task A_consumer_killed_in_mid_run_loses_nothing_and_repeats_no_more_than_a_batch_per_partition(string clients, string strategy)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, $"--clients={clients}", cancellationToken);

        var arguments = $"--clients={clients} --strategy={strategy} --no-metrics --balancing-interval 500ms --ownership-expiry 2s --identifier same";
        await using (var victim = Programs.Start("consumer", arguments, emulator.Settings))
        {
            await JournalGrowth.WaitAsync(emulator.Journal, records => records.OfType<CheckpointWritten>().Count() >= 8, cancellationToken);
            victim.Kill();
            Assert.Equal(137, (await victim.EndAsync(cancellationToken)).ExitCode);
        }

        var rest = await Programs.ConsumerAsync(arguments.Replace(strategy, "combined", StringComparison.Ordinal), emulator.Settings, cancellationToken);
        Assert.True(rest.ExitCode == 0, rest.Error);

        await emulator.StopAsync(cancellationToken);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(Earthquakes.Count, verdict.Acknowledged);
        Assert.Equal(0, verdict.Lost);

        // Classic strategies checkpoint each batch: at most one batch (10) of each of the 4 partitions is repeated.
        Assert.InRange(verdict.DuplicateServiceBus, 0, 40);
        Assert.Equal(0, verdict.DuplicateBlob);
    }

    [Theory]
    [EachFamily]
    public async Task Following_a_hub_drains_on_SIGTERM_and_leaves_nothing_to_repeat(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile article", cancellationToken);
        await Earthquakes.SendAsync(emulator, $"--clients={clients}", cancellationToken);

        await using (var follower = Programs.Start("consumer", $"--clients={clients} --strategy=outloop --follow --no-metrics", emulator.Settings))
        {
            await JournalGrowth.WaitAsync(emulator.Journal, records => records.OfType<CheckpointWritten>().Count() >= 6, cancellationToken);
            await follower.SignalAsync("TERM");
            var drained = await follower.EndAsync(cancellationToken);
            Assert.True(drained.ExitCode == 0, drained.Error);
        }

        var rest = await Programs.ConsumerAsync($"--clients={clients} --strategy=combined --no-metrics", emulator.Settings, cancellationToken);
        Assert.True(rest.ExitCode == 0, rest.Error);
        await emulator.StopAsync(cancellationToken);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(0, verdict.DuplicateServiceBus);
    }

    private static string ComputeSha256(string line) => Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(line)));
}
