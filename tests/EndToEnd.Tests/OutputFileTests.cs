using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Existing files when a program writes. All files that are refused by name are in <see cref="BadInputTable"/>.</summary>
public sealed class OutputFileTests : IDisposable
{
    private const string OlderJournal = "{\"format\":\"eht-journal\",\"version\":5}\n";

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_journal_that_another_emulator_writes_is_refused()
    {
        await using var first = await EmulatorProcess.StartAsync("", Cancellation);

        var second = await Programs.RunAsync("emulator", $"--journal {first.Journal}", null, Cancellation);

        Assert.Equal((5, $"error: --journal {first.Journal}: is being written by another program"), (second.ExitCode, second.Error.Trim()));
        var sent = await Programs.SenderAsync("--count 5", first.Settings, Cancellation);
        Assert.True(sent.ExitCode == 0, sent.Error);
        await first.StopAsync(Cancellation);
        Assert.Equal(5, JournalFile.Open(first.Journal).Records.OfType<EventAppended>().Count());
    }

    [Fact]
    public async Task A_start_that_fails_leaves_the_older_journal()
    {
        var journal = _folder.File("journal");
        await File.WriteAllTextAsync(journal, OlderJournal, Cancellation);
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();

        var emulator = await Programs.RunAsync("emulator", $"--journal {journal} --admin-port {((IPEndPoint)taken.LocalEndpoint).Port}", null, Cancellation);

        Assert.Equal(6, emulator.ExitCode);
        Assert.Equal(OlderJournal, await File.ReadAllTextAsync(journal, Cancellation));
        Assert.Equal([journal], Directory.GetFileSystemEntries(Path.GetDirectoryName(journal)!));
    }

    [Theory]
    [EachFamily]
    public async Task A_sender_without_a_connection_keeps_the_older_ledger(string clients)
    {
        var ledger = _folder.File("ledger");
        const string Older = "{\"format\":\"eht-ledger\",\"version\":1}\n{\"rows\":0}\nolder";
        await File.WriteAllTextAsync(ledger, Older, Cancellation);
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        var settings = new Dictionary<string, string>(emulator.Settings, StringComparer.Ordinal) { ["EVENTHUB_NAME"] = "nohub" };

        var sent = await Programs.SenderAsync($"--count 5 --clients={clients} --ledger {ledger}", settings, Cancellation);

        Assert.Equal(4, sent.ExitCode);
        Assert.Equal(Older, await File.ReadAllTextAsync(ledger, Cancellation));
    }

    [Theory]
    [EachFamily]
    public async Task Pipes_and_standard_output_are_written_directly(string clients)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "pipes with names are Unix's");
        var pipe = _folder.File("pipe");
        Assert.Equal(0, (await RunningProcess.RunAsync(new ProcessCommand("mkfifo", pipe), Programs.Limit, Cancellation)).ExitCode);
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);

        // Opening it waits for a writer, on the calling thread.
        var read = Task.Run(() => File.ReadAllText(pipe), Cancellation);
        var piped = await Programs.SenderAsync($"--count 5 --quiet --clients={clients} --ledger {pipe}", emulator.Settings, Cancellation);
        Assert.True(piped.ExitCode == 0, piped.Error);
        Assert.EndsWith("{\"rows\":5}\n", await read, StringComparison.Ordinal);

        var shown = await Programs.SenderAsync($"--count 5 --quiet --clients={clients} --ledger /dev/stdout", emulator.Settings, Cancellation);
        Assert.True(shown.ExitCode == 0, shown.Error);
        Assert.Contains("{\"rows\":5}\n", shown.Output, StringComparison.Ordinal);

        var nowhere = await Programs.SenderAsync($"--count 5 --quiet --clients={clients} --ledger /dev/null", emulator.Settings, Cancellation);
        Assert.True(nowhere.ExitCode == 0, nowhere.Error);
    }

    [Theory]
    [EachFamily]
    public async Task Results_of_a_run_replace_those_of_another_and_no_link_is_followed(string clients)
    {
        var results = _folder.File("results.json");
        var kept = _folder.File("kept");
        for (var run = 0; run < 2; run++)
        {
            var finished = await Programs.ConsumerAsync(
                $"--no-metrics --clients={clients} --events 20 --profile none --keep {kept} --output {results}",
                null,
                Cancellation
            );
            Assert.True(finished.ExitCode == 0, finished.Error);
        }

        File.CreateSymbolicLink(_folder.File("link"), Path.Combine(kept, "journal.jsonl"));
        var evidence = await File.ReadAllBytesAsync(Path.Combine(kept, "journal.jsonl"), Cancellation);
        var refused = await Programs.ConsumerAsync($"--no-metrics --output {_folder.File("link")}", null, Cancellation);
        Assert.Equal((2, $"error: --output {_folder.File("link")}: is a link, name the file itself"), (refused.ExitCode, refused.Error.Trim()));
        Assert.Equal(evidence, await File.ReadAllBytesAsync(Path.Combine(kept, "journal.jsonl"), Cancellation));
    }
}
