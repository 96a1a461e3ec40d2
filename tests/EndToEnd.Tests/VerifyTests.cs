using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary><c>consumer verify</c> on a real run: from its files, and from its namespace.</summary>
public sealed class VerifyTests
{
    private const int Events = 60;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task An_embedded_run_is_verified_from_the_files_that_it_kept()
    {
        using var folder = new TemporaryFolder();
        var kept = folder.File("kept");
        var run = await Programs.ConsumerAsync(
            $"--strategy=baseline --profile none --events {Events} --run embedded-one --no-metrics --keep {kept}",
            null,
            Token
        );
        Assert.True(run.ExitCode == 0, run.Error);

        var result = folder.File("verdict.json");
        var evidence = $"--ledger {kept}/ledger.jsonl --journal {kept}/journal.jsonl";
        var verified = await Programs.ConsumerAsync($"verify {evidence} --strategy=baseline --output {result}", null, Token);
        Assert.True(verified.ExitCode == 0, verified.Error + verified.Output);
        Assert.Contains($"verdict: clean ({Events} of {Events}", verified.Output, StringComparison.Ordinal);
        Assert.Contains("guaranteed order            partition", verified.Output, StringComparison.Ordinal);
        var safety = (await ResultJson.ReadVerificationAsync(result, Token)).Safety;
        Assert.Equal((SafetyVerdict.Clean, Events, 0), (safety.Verdict, safety.Complete, safety.Lost));
        Assert.All(
            VerdictField.All.Where(field => field.GetValue(safety) is not null),
            field => Assert.Contains(field.Name, verified.Output, StringComparison.Ordinal)
        );

        // The promise of order is the only difference between the two strategies that the files know of.
        var other = await Programs.ConsumerAsync($"verify {evidence} --promise none", null, Token);
        Assert.Equal(0, other.ExitCode);
        var wrongRun = await Programs.ConsumerAsync($"verify {evidence} --run other", null, Token);
        Assert.Equal((2, "error: --run 'other': not in the ledger, which has 'embedded-one'"), (wrongRun.ExitCode, wrongRun.Error.Trim()));
    }

    [Theory]
    [EachFamily]
    public async Task A_namespace_without_a_journal_is_read_back_and_only_the_evidence_there_is_judged(string clients)
    {
        await using var emulator = await RunAsync(clients);
        var result = emulator.File("verdict.json");
        var verified = await VerifyAsync(emulator, clients, $"--strategy=baseline --output {result}");
        Assert.True(verified.ExitCode == 0, verified.Error + verified.Output);
        Assert.Contains($"verdict: clean ({Events} of {Events}", verified.Output, StringComparison.Ordinal);
        var safety = (await ResultJson.ReadVerificationAsync(result, Token)).Safety;
        foreach (var field in new[] { "orderStartPartition", "orderStartKey", "overlapPartition", "overlapKey", "checkpointRegressionWithin" })
        {
            Assert.Contains(field, safety.NotJudged!);
            Assert.Null(VerdictField.All.Single(known => known.Name == field).GetValue(safety));
        }

        Assert.Equal((0, 0), (safety.OrderEndPartition, safety.CheckpointAhead));

        // Looking took nothing away.
        var again = await VerifyAsync(emulator, clients, "");
        Assert.True(again.ExitCode == 0, again.Error + again.Output);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("message taken")]
    [InlineData("blob deleted")]
    public async Task Both_families_read_the_same_verdict_word_for_word(string? wrong)
    {
        await using var emulator = await RunAsync(ClientFamily.BuiltIn.Name);
        if (wrong is not null)
        {
            await using var clients = GetClients(emulator);
            await SpoilAsync(clients, wrong);
        }

        var builtIn = await VerifyAsync(emulator, ClientFamily.BuiltIn.Name, $"--output {emulator.File("builtin.json")}");
        var official = await VerifyAsync(emulator, ClientFamily.Official, $"--output {emulator.File("official.json")}");
        Assert.True(builtIn.ExitCode == (wrong is null ? 0 : 3), builtIn.Error + builtIn.Output);
        Assert.Equal((builtIn.ExitCode, builtIn.Output), (official.ExitCode, official.Output));
        Assert.Equivalent(await SafetyAsync("builtin.json"), await SafetyAsync("official.json"), strict: true);

        async Task<SafetyFigures> SafetyAsync(string name) => (await ResultJson.ReadVerificationAsync(emulator.File(name), Token)).Safety;
    }

    [Theory]
    [EachFamily("message taken", "lost 1, first: partition 0 sequence 0: not in the queue")]
    [EachFamily("other bytes", "corrupt 1, first: partition 0 sequence 7: in the container it differs in bytes")]
    [EachFamily("blob deleted", "lost 1, first: partition 0 sequence 7: not in the container; checkpointAhead 1, first: partition 0 sequence 7")]
    [EachFamily("second name", "unexpected 1")]
    public async Task A_fault_in_the_namespace_is_found_without_a_journal(string clients, string wrong, string expected)
    {
        await using var emulator = await RunAsync(clients);
        await using (var spoiling = GetClients(emulator))
        {
            await SpoilAsync(spoiling, wrong);
        }

        var verified = await VerifyAsync(emulator, clients, "");
        Assert.True(verified.ExitCode == 3, verified.Error + verified.Output);
        Assert.Contains("verdict: FAILED", verified.Output, StringComparison.Ordinal);
        Assert.Contains(expected, verified.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task A_final_checkpoint_beyond_an_incomplete_event_is_convicted_and_one_before_it_leaves_the_run_undecided(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("--hub hub --partitions 1", Token);
        await SendAsync(emulator, clients);
        var open = await VerifyAsync(emulator, clients, "");
        Assert.Equal(3, open.ExitCode);
        Assert.Contains(
            "verdict: undecided (the run did not finish: partition 0 has no checkpoint, its last event is 59)",
            open.Output,
            StringComparison.Ordinal
        );

        await using (var ahead = GetClients(emulator))
        {
            await ahead.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(5, "5"), "somebody", null, fenced: false, Token);
        }

        var convicted = await VerifyAsync(emulator, clients, "");
        Assert.Equal(3, convicted.ExitCode);
        Assert.Contains(
            "checkpointAhead 1, first: partition 0 sequence 0: not complete when checkpoint 5 was stored",
            convicted.Output,
            StringComparison.Ordinal
        );
    }

    private static async Task SpoilAsync(BuiltInClients clients, string wrong)
    {
        var archive = clients.GetBlobContainer("archive");
        const string seventh = "hub/0/00000000000000000007";
        switch (wrong)
        {
            case "blob deleted":
                Assert.True(await archive.DeleteAsync(seventh, Token));
                break;
            case "message taken":
                await using (var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions()))
                {
                    var first = Assert.Single(await receiver.ReceiveAsync(1, Programs.Limit, Token));
                    await receiver.CompleteAsync(first, Token);
                }

                break;
            case "other bytes":
                var before = (await archive.GetPropertiesAsync(seventh, Token))!;
                var content = (await archive.DownloadAsync(seventh, Token)).ToArray();
                content[0] ^= 1;
                await archive.UploadAsync(
                    new BlobUpload
                    {
                        Name = seventh,
                        Content = content,
                        ContentType = before.ContentType,
                        Metadata = before.Metadata,
                    },
                    Token
                );
                break;
            default:
                await archive.UploadAsync(new BlobUpload { Name = "hub/0/7", Content = new byte[] { 1 } }, Token);
                break;
        }
    }

    private static async Task<EmulatorProcess> RunAsync(string clients)
    {
        var emulator = await EmulatorProcess.StartAsync("--hub hub --partitions 1", Token);
        await SendAsync(emulator, clients);
        var run = await Programs.ConsumerAsync($"--clients={clients} --strategy=baseline --no-metrics --balancing-interval 200ms", emulator.Settings, Token);
        Assert.True(run.ExitCode == 0, run.Error);
        return emulator;
    }

    private static async Task SendAsync(EmulatorProcess emulator, string clients)
    {
        var sent = await Programs.SenderAsync($"--clients={clients} --count {Events} --ledger {emulator.File("ledger")}", emulator.Settings, Token);
        Assert.True(sent.ExitCode == 0, sent.Error);
    }

    private static Task<FinishedProcess> VerifyAsync(EmulatorProcess emulator, string clients, string arguments) =>
        Programs.ConsumerAsync($"verify --clients={clients} --ledger {emulator.File("ledger")} {arguments}", emulator.Settings, Token);

    private static BuiltInClients GetClients(EmulatorProcess emulator) =>
        new(MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Settings!, new BuiltInClientOptions());
}
