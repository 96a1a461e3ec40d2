using System.Text.Json;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary><c>compare</c> on a foreign namespace: with TLS and a separate certificate, with keys and with Entra ID.</summary>
public sealed class ServiceComparisonTests : IDisposable
{
    private const string Short = "--strategies combined,pipelined --events 1500 --warm-up 100ms --measure 300ms";
    private const string Clean =
        "No event was lost in any of 3 cells, and no final checkpoint was ahead (by the ledger and what was read back from the services).";

    private readonly TemporaryFolder folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Theory]
    [EachFamily]
    public async Task Two_strategies_are_compared_after_other_events_and_nothing_is_left(string clients)
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();
        var others = await Programs.SenderAsync("--count 70 --quiet", space.KeySettings, Cancellation);
        Assert.True(others.ExitCode == 0, others.Error);
        var data = folder.File("compare.json");

        var run = await Programs.ConsumerAsync($"compare --clients={clients} {Short} --yes --output {data}", space.KeySettings, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(Clean, run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("\ncreates   3 consumer groups, 3 queues, 9 containers, named eht-compare-", run.Error, StringComparison.Ordinal);
        Assert.Contains("\nsends     1,500 events, 1.5 MB, to event hub 'hub'\n", run.Error, StringComparison.Ordinal);
        var text = await File.ReadAllTextAsync(data, Cancellation);
        Assert.DoesNotContain("SharedAccessKey", text, StringComparison.Ordinal);
        var result = ResultJson.Read<ComparisonResult>(await File.ReadAllBytesAsync(data, Cancellation))!;
        Assert.Equal(
            (null, "hub", space.Settings["EVENTHUB_NAMESPACE"]),
            (result.Settings.Profile, result.Settings.Services?.EventHub, result.Settings.Services?.EventHubs)
        );
        Assert.All(
            result.Cells,
            static cell =>
            {
                Assert.Equal((SafetyVerdict.Clean, 1500), (cell.Result!.Safety.Verdict, cell.Result.Safety.Acknowledged));
                Assert.InRange(cell.Result.Safety.Complete!.Value, 1, 1500);
                Assert.Equal((null, null, null), (cell.Result.Safety.Delivered, cell.Result.Model, cell.Result.Resources.Emulator.CpuS));
            }
        );
        Assert.Equal((1570, 0), (await space.CountEventsAsync(Cancellation), await space.CountEntitiesAsync("eht-", Cancellation)));
        Assert.Equal((0, 0), await space.CountAsync(Cancellation));
        Assert.False(File.Exists(EntityState.GetFileName(result.Comparison.Id)));
    }

    [Fact]
    public async Task Tokens_of_Entra_ID_suffice_and_a_rate_is_sent_to_the_same_hub()
    {
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, Cancellation);
        await using var space = await TlsNamespace.StartAsync("--allow-anonymous", identity, Cancellation);
        space.OpenHttps();

        var run = await Programs.ConsumerAsync(
            "compare --strategies combined,pipelined --rate 100 --warm-up 100ms --measure 500ms --yes",
            space.Settings,
            Cancellation
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(Clean, run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.DoesNotContain(IdentityEndpoint.Canary, run.Error + run.Output, StringComparison.Ordinal);
        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
    }

    [Fact]
    public async Task Messages_of_a_topic_are_read_back_from_a_subscription_of_the_cell()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();
        var settings = new Dictionary<string, string>(space.KeySettings) { ["SERVICEBUS_QUEUE"] = "", ["SERVICEBUS_TOPIC"] = "orders" };

        var run = await Programs.ConsumerAsync($"compare {Short} --yes", settings, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(Clean, run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("3 topics, 3 subscriptions", run.Error, StringComparison.Ordinal);
        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
    }

    [Fact]
    public async Task A_handler_alone_is_judged_by_what_it_acknowledges()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();

        var run = await Programs.ConsumerAsync($"compare {Short} --handler {typeof(OwnHandler).Assembly.Location} --yes", space.KeySettings, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("what the handlers acknowledged, in the consumer's own record", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("No event was lost in any of 3 cells", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
    }

    [Fact]
    public async Task Busy_services_delay_a_comparison_and_its_verdicts_are_clean()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();
        // The official package pauses for ten seconds when messages are refused.
        await space.UseFaultsAsync(
            [
                """{ "name": "F13-429" }""",
                """{ "name": "b", "at": "messageSend", "do": "refuse", "reason": "busy", "every": 300 }""",
                """{ "name": "c", "at": "attach", "entity": "hub", "do": "refuse", "reason": "busy", "limit": 1 }""",
            ],
            Cancellation
        );

        var run = await Programs.ConsumerAsync($"compare {Short} --drain-limit 60s --yes", space.KeySettings, Cancellation);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(Clean, run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
    }

    [Theory]
    [InlineData("EVENTHUB_CONNECTION_STRING")]
    [InlineData("SERVICEBUS_CONNECTION_STRING")]
    public async Task A_missing_right_to_create_is_named_and_nothing_is_left(string service)
    {
        await using var space = await TlsNamespace.StartAsync("--policies user=Listen+Send", identity: null, Cancellation);
        space.OpenHttps();
        var settings = new Dictionary<string, string>(space.KeySettings) { [service] = space.WithPolicies("user", "user")[service] };

        var run = await Programs.ConsumerAsync($"compare {Short} --yes", settings, Cancellation);

        Assert.Equal(4, run.ExitCode);
        Assert.Contains("needs the right Manage on the namespace", GetError(run), StringComparison.Ordinal);
        Assert.Contains("Cure: give the policy 'user' the right Manage", GetError(run), StringComparison.Ordinal);
        Assert.Equal((0, 0), (await space.CountEventsAsync(Cancellation), await space.CountEntitiesAsync("eht-", Cancellation)));
    }

    [Fact]
    public async Task Existing_entities_are_used_without_the_right_to_create_and_each_other_missing_right_is_named()
    {
        await using var space = await TlsNamespace.StartAsync("--policies reader=Listen,writer=Send,user=Listen+Send", identity: null, Cancellation);
        var file = folder.File("entities.json");
        List<object> cells = [];
        foreach (var number in Enumerable.Range(0, 3))
        {
            await space.CreateAsync($"queues/mine-{number}", Cancellation);
            foreach (var container in (string[])["a", "c", "d"])
            {
                await space.CreateAsync($"containers/mine-{container}{number}", Cancellation);
            }

            cells.Add(
                new
                {
                    consumerGroup = "$Default",
                    queue = $"mine-{number}",
                    archive = $"mine-a{number}",
                    checkpoints = $"mine-c{number}",
                    deadLetters = $"mine-d{number}",
                }
            );
        }

        await File.WriteAllTextAsync(file, JsonSerializer.Serialize(new { cells }), Cancellation);
        foreach (
            var (ofHub, ofQueue, right) in (IEnumerable<(string, string, string)>)
                [
                    ("writer", "user", "needs the right Listen on event hub 'hub'"),
                    ("reader", "user", "needs the right Send on event hub 'hub'"),
                    ("user", "reader", "needs the right Send on queue 'mine-0'"),
                    ("user", "writer", "needs the right Listen on queue 'mine-0'"),
                ]
        )
        {
            var refused = await Programs.ConsumerAsync($"compare {Short} --entities {file} --yes", space.WithPolicies(ofHub, ofQueue), Cancellation);

            Assert.Equal(4, refused.ExitCode);
            Assert.Contains(right, GetError(refused), StringComparison.Ordinal);
            Assert.Equal((0, 0), (await space.CountEventsAsync(Cancellation), (await space.CountAsync(Cancellation)).Blobs));
        }

        await space.UseFaultsAsync([""" { "name": "a", "at": "blobWrite", "entity": "mine-c0", "do": "refuse", "reason": "forbidden" } """], Cancellation);
        var unwritable = await Programs.ConsumerAsync($"compare {Short} --entities {file} --yes", space.WithPolicies("user", "user"), Cancellation);
        Assert.Equal(4, unwritable.ExitCode);
        Assert.Contains("needs the right to write blobs on container 'mine-c0'", GetError(unwritable), StringComparison.Ordinal);
        await space.UseFaultsAsync([], Cancellation);

        // What an earlier comparison left in them is not judged.
        foreach (var time in Enumerable.Range(1, 2))
        {
            var run = await Programs.ConsumerAsync($"compare {Short} --entities {file} --yes", space.WithPolicies("user", "user"), Cancellation);
            Assert.True(run.ExitCode == 0, run.Error + run.Output);
            Assert.Contains(Clean, run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
            Assert.Equal(time * 1500, await space.CountEventsAsync(Cancellation));
        }

        Assert.Equal(12, await space.CountEntitiesAsync("mine-", Cancellation));
        var few = await Programs.ConsumerAsync($"compare {Short} --repeats 5 --entities {file} --yes", space.WithPolicies("user", "user"), Cancellation);
        Assert.Equal((2, $"error: --entities: has 3 cells, and this comparison may run 30, each with a separate set\n"), (few.ExitCode, few.Error));
    }

    [Fact]
    public async Task Without_a_terminal_the_plan_is_printed_and_nothing_is_created_or_sent()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);

        var run = await Programs.ConsumerAsync($"compare {Short}", space.KeySettings, Cancellation);

        Assert.Equal(2, run.ExitCode);
        Assert.Equal("error: --yes: not given, and there is no terminal for the question. Nothing was created or sent", GetError(run));
        Assert.Contains("\nwrites    at most 4,500 messages, 4,500 blobs and 3,001 checkpoints", run.Error, StringComparison.Ordinal);
        Assert.Equal((0, 0), (await space.CountEventsAsync(Cancellation), await space.CountEntitiesAsync("eht-", Cancellation)));
    }

    [Fact]
    public async Task A_stopped_comparison_keeps_its_finished_cells_leaves_nothing_and_resumes()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();
        var data = folder.File("compare.json");
        await using (var running = Programs.Start("consumer", $"compare {Short} --repeats 2 --yes --output {data}", space.KeySettings))
        {
            await running.WaitForOutputAsync("[1/6]", Cancellation);
            await running.SignalAsync("INT");
            var stopped = await running.EndAsync(Cancellation);
            Assert.True(stopped.ExitCode == 130, stopped.Error + stopped.Output);
            Assert.Contains("finished (combined). Not finished", stopped.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
        }

        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
        var elsewhere = await Programs.ConsumerAsync($"compare --resume {data}", null, Cancellation);
        Assert.Equal(2, elsewhere.ExitCode);
        Assert.Contains("its cells were run on event hub 'hub' of", elsewhere.Error, StringComparison.Ordinal);
        var resumed = await Programs.ConsumerAsync($"compare --resume {data} --yes", space.KeySettings, Cancellation);
        Assert.True(resumed.ExitCode == 0, resumed.Error + resumed.Output);
        Assert.Equal((3000, 0), (await space.CountEventsAsync(Cancellation), await space.CountEntitiesAsync("eht-", Cancellation)));
    }

    [Fact]
    public async Task A_killed_comparison_is_cleaned_up_by_its_state_file()
    {
        await using var space = await TlsNamespace.StartAsync("", identity: null, Cancellation);
        space.OpenHttps();
        var state = "";
        await using (var running = Programs.Start("consumer", $"compare {Short} --repeats 2 --yes", space.KeySettings))
        {
            await running.WaitForOutputAsync("[1/6]", Cancellation);
            running.Kill();
            var killed = await running.EndAsync(Cancellation);
            state = killed.Error.Split('\n').First(static line => line.Contains(".entities.json", StringComparison.Ordinal)).Trim().Split(' ')[0];
        }

        Assert.NotEqual(0, await space.CountEntitiesAsync("eht-", Cancellation));
        var cleaned = await Programs.ConsumerAsync($"compare --clean-up {state}", space.KeySettings, Cancellation);

        Assert.True(cleaned.ExitCode == 0, cleaned.Error);
        Assert.Equal(0, await space.CountEntitiesAsync("eht-", Cancellation));
        Assert.False(File.Exists(state));
    }

    private static string GetError(FinishedProcess run) =>
        Assert.Single(run.Error.Split('\n'), static line => line.StartsWith("error:", StringComparison.Ordinal));
}
