using System.Net.Http.Headers;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Events that a sink refuses become dead letters. When the cause is gone, <c>consumer redrive</c> writes them to the sinks after all.</summary>
public sealed class RedriveTests
{
    private const string Refusing = "name=no-messages&at=messageSend&do=refuse&reason=too-large&every=100";
    private const string RefusingBlobs = "name=no-blobs&at=blobWrite&do=refuse&reason=too-large&entity=archive&every=150";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [EachFamily]
    public async Task Dead_letters_reach_both_sinks_when_the_cause_is_gone(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Token);
        await DeadLetterSomeAsync(emulator, $"--clients={clients} --strategy=inloop");
        var letters = GetLetters(emulator);
        Assert.InRange(letters, 20, 30);

        var look = await Programs.ConsumerAsync($"redrive --dry-run --clients={clients}", emulator.Settings, Token);
        Assert.True(look.ExitCode == 10, look.Error);
        Assert.Equal(letters, look.Output.Split('\n').Count(line => line.StartsWith("hub/", StringComparison.Ordinal)));
        Assert.Contains($"left           {letters}\n", look.Output, StringComparison.Ordinal);

        var redriven = await Programs.ConsumerAsync($"redrive --degree 4 --clients={clients}", emulator.Settings, Token);
        Assert.True(redriven.ExitCode == 0, redriven.Error);
        Assert.Equal($"redriven       {letters}\nrefused again  0\nnot readable   0\nleft           0\n", redriven.Output);

        var again = await Programs.ConsumerAsync($"redrive --clients={clients}", emulator.Settings, Token);
        Assert.True(again.ExitCode == 0, again.Error);
        Assert.StartsWith("redriven       0\n", again.Output, StringComparison.Ordinal);

        await emulator.StopAsync(Token);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.Partition);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((Earthquakes.Count, 0, 0, 0), (verdict.Complete, verdict.DeadLettered, verdict.DuplicateServiceBus, verdict.DuplicateBlob));
        var verified = await Programs.ConsumerAsync(
            $"verify --ledger {emulator.File("ledger")} --journal {emulator.Journal} --strategy=inloop",
            settings: null,
            Token
        );
        Assert.True(verified.ExitCode == 0, verified.Error);
    }

    [Theory]
    [EachFamily]
    public async Task A_redrive_that_was_killed_before_it_removed_what_it_had_written_repeats_one_message_at_most(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Token);
        await DeadLetterSomeAsync(emulator, $"--clients={clients} --strategy=combined");
        await FaultAsync(emulator, HttpMethod.Post, "?name=late&at=blobDelete&do=delay&ms=60000");
        await using (var victim = Programs.Start("consumer", $"redrive --operation-limit 4s --clients={clients}", emulator.Settings))
        {
            await JournalGrowth.WaitAsync(emulator.Journal, records => records.OfType<FaultInjected>().Any(fault => fault.Fault == "late"), Token);
            victim.Kill();
            await victim.EndAsync(Token);
        }

        await FaultAsync(emulator, HttpMethod.Delete, "");
        var rest = await Programs.ConsumerAsync($"redrive --operation-limit 4s --clients={clients}", emulator.Settings, Token);
        Assert.True(rest.ExitCode == 0, rest.Error);

        await emulator.StopAsync(Token);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((Earthquakes.Count, 0), (verdict.Complete, verdict.DeadLettered));
        Assert.InRange(verdict.DuplicateServiceBus, 0, 1);
    }

    [Theory]
    [EachFamily("INT")]
    [EachFamily("TERM")]
    public async Task A_redrive_that_is_asked_to_stop_finishes_what_it_writes_and_the_next_one_does_the_rest(string clients, string signal)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Token);
        await DeadLetterSomeAsync(emulator, $"--clients={clients} --strategy=combined");
        var letters = GetLetters(emulator);
        await FaultAsync(emulator, HttpMethod.Post, "?name=slow&at=blobDelete&do=delay&ms=300");
        await using (var first = Programs.Start("consumer", $"redrive --clients={clients}", emulator.Settings))
        {
            await JournalGrowth.WaitAsync(emulator.Journal, static records => records.OfType<BlobDeleted>().Any(), Token);
            await first.SignalAsync(signal);

            var stopped = await first.EndAsync(Token);
            Assert.True(stopped.ExitCode == 0, stopped.Error);
            Assert.Contains("stopped before the end\n", stopped.Error, StringComparison.Ordinal);
        }

        var removed = Earthquakes.Read(emulator).OfType<BlobDeleted>().Count();
        Assert.InRange(removed, 1, letters - 1);
        await FaultAsync(emulator, HttpMethod.Delete, "");
        var rest = await Programs.ConsumerAsync($"redrive --clients={clients}", emulator.Settings, Token);
        Assert.True(rest.ExitCode == 0, rest.Error);
        Assert.StartsWith($"redriven       {letters - removed}\n", rest.Output, StringComparison.Ordinal);

        await emulator.StopAsync(Token);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((Earthquakes.Count, 0, 0), (verdict.Complete, verdict.DeadLettered, verdict.DuplicateServiceBus));
    }

    [Theory]
    [EachFamily]
    public async Task A_dead_letter_that_is_refused_again_stays_and_sets_the_exit_code(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Token);
        await DeadLetterSomeAsync(emulator, $"--clients={clients} --strategy=combined");
        var letters = GetLetters(emulator);
        await FaultAsync(emulator, HttpMethod.Post, "?name=never&at=messageSend&do=refuse&reason=too-large");
        await FaultAsync(emulator, HttpMethod.Post, "?name=never-either&at=blobWrite&do=refuse&reason=too-large&entity=archive");

        var redriven = await Programs.ConsumerAsync($"redrive --clients={clients}", emulator.Settings, Token);

        Assert.True(redriven.ExitCode == 10, redriven.Error);
        Assert.StartsWith(
            $"redriven       0\nrefused again  {letters}\nnot readable   0\nleft           {letters}\n",
            redriven.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("refused again: servicebus: ", redriven.Error, StringComparison.Ordinal);
        await emulator.StopAsync(Token);
        var verdict = Earthquakes.Judge(emulator, Earthquakes.Read(emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((Earthquakes.Count, letters), (verdict.Complete, verdict.DeadLettered));
    }

    [Fact]
    public async Task Without_settings_there_is_nothing_to_redrive()
    {
        var finished = await Programs.ConsumerAsync("redrive", settings: null, Token);

        Assert.Equal(2, finished.ExitCode);
        Assert.Equal("error: redrive: no connection settings are set in the environment, and an embedded run keeps no dead letters\n", finished.Error);
    }

    private static async Task DeadLetterSomeAsync(EmulatorProcess emulator, string arguments)
    {
        await Earthquakes.SendAsync(emulator, "", Token);
        await FaultAsync(emulator, HttpMethod.Post, $"?{Refusing}");
        await FaultAsync(emulator, HttpMethod.Post, $"?{RefusingBlobs}");
        var run = await Programs.ConsumerAsync($"{arguments} --on-poison deadletter --no-metrics", emulator.Settings, Token);
        Assert.True(run.ExitCode == 0, run.Error);
        await FaultAsync(emulator, HttpMethod.Delete, "");
    }

    private static int GetLetters(EmulatorProcess emulator) =>
        Earthquakes
            .Read(emulator)
            .OfType<BlobWritten>()
            .Where(blob => blob is { Container: "deadletters", Moment: WriteMoment.Stored })
            .Select(blob => blob.Name)
            .Distinct(StringComparer.Ordinal)
            .Count();

    private static async Task FaultAsync(EmulatorProcess emulator, HttpMethod method, string query)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(method, $"{emulator.Settings["EMULATOR_ADMIN_URL"]}/faults{query}");
        var key = emulator.Settings["EVENTHUB_CONNECTION_STRING"].Split(';').First(part => part.StartsWith("SharedAccessKey=", StringComparison.Ordinal));
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", key["SharedAccessKey=".Length..]);
        using var answer = await http.SendAsync(request, Token);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync(Token));
    }
}
