using System.Globalization;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The main job in one command, with nothing set up: emulator, sender and consumer as processes, over real wires.</summary>
public sealed class EmbeddedRunTests
{
    [Theory]
    [EachStrategy]
    public async Task Every_strategy_ends_with_a_clean_verdict(string clients, string strategy)
    {
        using var folder = new TemporaryFolder();
        var output = folder.File("result.json");

        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy={strategy} --events 200 --metrics-port 0 --output {output}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean", run.Output, StringComparison.Ordinal);
        Assert.StartsWith(
            "embedded run: no connection settings in the environment, so it starts its own emulator (profile article) and sends 200 events\n",
            run.Error,
            StringComparison.Ordinal
        );
        var result = await ResultJson.ReadRunAsync(output, TestContext.Current.CancellationToken);
        Assert.Equal(strategy, result.Strategy.Name);
        Assert.Equal(200, result.Safety.Acknowledged);
        var sends = Assert.Single(result.Profile.Latencies, row => row.Operation == "messageSend");
        Assert.Equal(18.2, sends.AskedMeanMs);
        var joined = StrategyCatalog.Safe.Any(one => one.Name == strategy && one.ConcurrencyBounds == ConcurrencyBound.Operations);
        Assert.InRange(sends.Count, joined ? 1 : 200, joined ? 100 : 200);
    }

    [Theory]
    [EachFamily]
    public async Task Events_of_several_sizes_are_sent_at_a_rate_while_the_run_continues(string clients)
    {
        using var folder = new TemporaryFolder();
        var output = folder.File("result.json");

        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=pipelined --events 300 --rate 200,400@500ms --size 64:3,2000:1 --partitions 2 --checkpoint-interval 200ms --no-metrics --profile none --keep {folder.File("kept")} --output {output}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (300 of 300", run.Output, StringComparison.Ordinal);
        Assert.Matches(
            "\nsender +achieved [0-9.]+ of 300.0 events/s, at most [0-9.]+ s after the scheduled send time, requested 200/s,400/s@500ms\n",
            run.Output
        );
        var result = await ResultJson.ReadRunAsync(output, TestContext.Current.CancellationToken);
        Assert.Equal(("200/s,400/s@500ms", "64:3,2000:1", 548), (result.Input.Rate, result.Input.BodySizes, result.Input.BodyBytes));
        Assert.Equal(300, result.Safety.Complete);
        var rows = LedgerFile.Open(Directory.GetFiles(folder.File("kept"), "ledger*").Single()).Rows.OrderBy(static row => row.Index).ToArray();
        Assert.Equal([64, 2000], rows.Select(static row => row.Length).Distinct().Order());
        Assert.InRange(rows[^1].Intended - rows[0].Intended, 996, 999);
    }

    [Theory]
    [EachFamily]
    public async Task A_topic_takes_the_messages_and_its_subscription_is_read_back(string clients)
    {
        using var folder = new TemporaryFolder();
        var output = folder.File("result.json");

        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=combined --events 60 --topic --no-metrics --output {output}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(", to a topic with a subscription, ", run.Output, StringComparison.Ordinal);
        Assert.Contains("\nread back   subscription of the topic: verdict: clean (60 of 60", run.Output, StringComparison.Ordinal);
        var result = await ResultJson.ReadRunAsync(output, TestContext.Current.CancellationToken);
        Assert.Equal((60, SafetyVerdict.Clean), (result.Safety.Complete, result.Safety.Verdict));
        Assert.Equal((60, SafetyVerdict.Clean), (result.ReadBack!.Complete, result.ReadBack.Verdict));
    }

    [Theory]
    [EachFamily]
    public async Task All_events_go_to_one_partition_of_many_to_a_handler_that_computes(string clients)
    {
        using var folder = new TemporaryFolder();
        var output = folder.File("result.json");

        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=combined --events 50 --partitions 4 --partition 2 --cpu-us 300 --no-metrics --profile none --keep {folder.File("kept")} --output {output}",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains(", computes 300 us an event\n", run.Output, StringComparison.Ordinal);
        var result = await ResultJson.ReadRunAsync(output, TestContext.Current.CancellationToken);
        Assert.Equal(300, result.Strategy.WorkCpuUs);
        Assert.InRange(result.Stages["work"].MeanMs!.Value, 0.3, double.MaxValue);
        var appended = JournalFile.Open(Directory.GetFiles(folder.File("kept"), "journal*").Single()).Records.OfType<EventAppended>().ToArray();
        Assert.Equal((50, "2"), (appended.Length, appended.Select(static one => one.Partition).Distinct().Single()));
    }

    [Theory]
    [EachFamily]
    public async Task Any_profile_of_the_emulator_will_do_and_one_without_latency_is_not_ranked(string clients)
    {
        using var folder = new TemporaryFolder();
        var file = folder.File("mine.json");
        await File.WriteAllTextAsync(file, """{ "name": "mine", "basedOn": "article-constant" }""", TestContext.Current.CancellationToken);

        var own = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=combined --events 100 --profile {file} --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );
        var none = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=combined --events 100 --profile none --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True((own.ExitCode, none.ExitCode) == (0, 0), own.Error + none.Error);
        Assert.Contains($"profile {file}", own.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("emulator-bound without latency", own.Output, StringComparison.Ordinal);
        Assert.Contains("emulator-bound without latency, not ranked", none.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task Summary_result_file_and_metrics_report_one_rate(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var output = folder.File("result.json");
        var port = FreePort.Next();
        await using var consumer = Programs.Start(
            "consumer",
            $"--clients={clients} --strategy=combined --events 300 --metrics-port {port} --linger 60s --output {output}",
            null
        );

        // After one scrape it stays for two more. The result file is written before that.
        await Scrape.ReadAsync(port, cancellationToken);
        await FileAsync(output, cancellationToken);
        var last = await Scrape.ReadAsync(port, cancellationToken);
        await Scrape.ReadAsync(port, cancellationToken);

        var run = await consumer.EndAsync(cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        var rate = (await ResultJson.ReadRunAsync(output, cancellationToken)).Throughput.EventsPerS!.Value;
        Assert.Equal(rate, Scrape.GetValue(last, "eventhub_measured_events") / Scrape.GetValue(last, "eventhub_measured_seconds"), rate / 1_000_000);
        var line = Assert.Single(
            run.Output.Split('\n'),
            text => text.Contains("events/s", StringComparison.Ordinal) && !text.StartsWith("Next:", StringComparison.Ordinal)
        );
        Assert.StartsWith(string.Create(CultureInfo.InvariantCulture, $"throughput  {rate:0.0} events/s"), line, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task A_stopped_embedded_run_announces_that_the_next_one_begins_again(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var kept = folder.File("kept");
        var journal = Path.Combine(kept, "journal.jsonl");
        await using var consumer = Programs.Start("consumer", $"--clients={clients} --events 3000 --no-metrics --keep {kept}", null);
        await FileAsync(journal, cancellationToken);
        await JournalGrowth.WaitAsync(
            journal,
            records => records.OfType<BlobWritten>().Any(blob => blob.Container.StartsWith("archive", StringComparison.Ordinal)),
            cancellationToken
        );

        await consumer.SignalAsync("INT");

        var run = await consumer.EndAsync(cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.DoesNotContain("continues from the last checkpoint", run.Output, StringComparison.Ordinal);
        Assert.Contains("so it starts from the beginning", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task A_run_with_faults_names_them_and_is_compared_with_no_model(string clients)
    {
        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=combined --events 100 --faults F14 --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("profile article, faults F14, checkpoint", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("model", run.Output + run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unknown_profile_is_refused_in_the_emulators_words_before_anything_happens()
    {
        var run = await Programs.ConsumerAsync("--profile fast --no-metrics", null, TestContext.Current.CancellationToken);

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains("error: --profile 'fast': unknown. Known: none, article,", run.Error, StringComparison.Ordinal);
    }

    // Not empty: one that was created is not yet one that can be read.
    private static async Task FileAsync(string path, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Programs.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (new FileInfo(path) is not { Exists: true, Length: > 0 })
        {
            await look.WaitForNextTickAsync(limit.Token);
        }
    }
}
