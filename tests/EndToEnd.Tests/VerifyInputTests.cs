using EventHubThroughput.Journal;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The reports of <c>consumer verify</c> on evidence that is cut, damaged, ambiguous or incomplete.</summary>
public sealed class VerifyInputTests : IDisposable
{
    private const string Empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private readonly TemporaryFolder folder = new();

    private string Journal => folder.File("journal");

    private string Ledger => folder.File("ledger");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_good_pair_of_files_is_clean_and_names_come_from_the_journal()
    {
        Write();
        var verified = await VerifyAsync("");
        Assert.True(verified.ExitCode == 0, verified.Error + verified.Output);
        Assert.Equal("", verified.Error);
        Assert.Contains("events                      event hub 'hub', consumer group 'readers'", verified.Output, StringComparison.Ordinal);
        Assert.Contains("sinks                       'messages' and container 'store'", verified.Output, StringComparison.Ordinal);
        Assert.Contains("verdict: clean (3 of 3", verified.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--deadletter-container store", "error: --archive-container and --deadletter-container: both 'store', must be different containers")]
    [InlineData(
        "--checkpoint-container same --deadletter-container same",
        "error: --checkpoint-container and --deadletter-container: both 'same', must be different containers"
    )]
    public async Task One_container_for_two_purposes_is_refused(string options, string error)
    {
        Write();
        var verified = await VerifyAsync(options);
        Assert.Equal((2, error, ""), (verified.ExitCode, verified.Error.TrimEnd(), verified.Output));
    }

    [Fact]
    public async Task A_journal_cut_in_its_last_record_is_a_warning_and_undecided()
    {
        Write();
        await CutAsync(Journal, 5);
        var verified = await VerifyAsync("");
        Assert.Equal(3, verified.ExitCode);
        Assert.StartsWith("warning: the last record of the journal is incomplete", verified.Error, StringComparison.Ordinal);
        Assert.Contains("verdict: undecided (the journal ends early", verified.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_ledger_without_its_end_is_a_warning_and_undecided()
    {
        Write();
        await CutAsync(Ledger, "{\"rows\":3}\n".Length);
        var verified = await VerifyAsync("");
        Assert.Equal(3, verified.ExitCode);
        Assert.StartsWith("warning: the ledger ends early", verified.Error, StringComparison.Ordinal);
        Assert.Contains("verdict: undecided (the ledger ends early", verified.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_journal_damaged_elsewhere_is_refused_by_record()
    {
        Write();
        var lines = await File.ReadAllLinesAsync(Journal, TestContext.Current.CancellationToken);
        lines[4] = lines[4].Replace("store", "stare", StringComparison.Ordinal);
        await File.WriteAllLinesAsync(Journal, lines, TestContext.Current.CancellationToken);
        var verified = await VerifyAsync("");
        Assert.Equal((2, "error: journal record 4: checksum differs", ""), (verified.ExitCode, verified.Error.Trim(), verified.Output));
    }

    [Fact]
    public async Task A_run_that_did_not_finish_is_undecided_and_its_position_is_reported()
    {
        Write(checkpoint: 1);
        var verified = await VerifyAsync("");
        Assert.Equal(3, verified.ExitCode);
        Assert.Contains(
            "verdict: undecided (the run did not finish: partition 0 has checkpoint 1, its last event is 2)",
            verified.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_group_that_nothing_was_delivered_to_is_never_clean()
    {
        Write(new CheckpointWritten(WriteMoment.Stored, "positions", "hub", "nobody", "0", "2", "2", "owner", null, null));
        var verified = await VerifyAsync("--group nobody");
        Assert.Equal(3, verified.ExitCode);
        Assert.Contains("verdict: undecided (no event was delivered to consumer group 'nobody')", verified.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ambiguous_names_are_listed_together_and_options_decide()
    {
        Write(
            new EventDelivered("hub", "others", "0", 0, "link", 0),
            new MessageWritten(WriteMoment.Stored, "elsewhere", "x", Empty, 0, null, null, null, false),
            new BlobWritten(WriteMoment.Stored, "attic", "x", Empty, 0, null, null, "1", false)
        );
        var ambiguous = await VerifyAsync("");
        Assert.Equal(
            (
                2,
                """
                error: --group: not given, but the journal has several consumer groups: 'others', 'readers'
                error: --entity: not given, but the journal has several queues and topics: 'elsewhere', 'messages'
                error: --archive-container: not given, but the journal has several containers of blobs: 'attic', 'store'
                """
            ),
            (ambiguous.ExitCode, ambiguous.Error.Trim())
        );
        var named = await VerifyAsync("--group readers --entity messages --archive-container store");
        Assert.True(named.ExitCode == 0, named.Error + named.Output);
    }

    [Fact]
    public async Task A_ledger_of_several_runs_wants_one_named()
    {
        Write();
        using (var ledger = LedgerWriter.Open(Ledger))
        {
            ledger.Write(Row("r2", 0));
            ledger.Write(Row("r1", 0));
        }

        var verified = await VerifyAsync("");
        Assert.Equal((2, "error: --run: not given, but the ledger has several runs: 'r1', 'r2'"), (verified.ExitCode, verified.Error.Trim()));
    }

    private static LedgerRow Row(string run, long index) => new(run, "hub", null, index, index, Empty, 0, 0, 0, SendOutcome.Acked);

    private static async Task CutAsync(string path, int bytes)
    {
        var content = await File.ReadAllBytesAsync(path, TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(path, content[..^bytes], TestContext.Current.CancellationToken);
    }

    private void Write(params JournalRecord[] more) => Write(2, more);

    // Three events that went to both sinks, and a checkpoint.
    private void Write(long checkpoint, params JournalRecord[] more)
    {
        using (var ledger = LedgerWriter.Open(Ledger))
        {
            for (long index = 0; index < 3; index++)
            {
                ledger.Write(Row("r1", index));
            }
        }

        using var journal = JournalWriter.Open(Journal);
        for (long sequence = 0; sequence < 3; sequence++)
        {
            var stamp = new Dictionary<string, string>() { ["eht-run"] = "r1", ["eht-index"] = $"{sequence}" };
            journal.Write(new EventAppended("hub", "0", sequence, $"{sequence}", Empty, 0, null, null, stamp));
            journal.Write(new EventDelivered("hub", "readers", "0", sequence, "link", 0));
            foreach (var moment in Enum.GetValues<WriteMoment>())
            {
                journal.Write(new MessageWritten(moment, "messages", $"hub-0-{sequence}", Empty, 0, null, null, stamp, false));
                journal.Write(
                    new BlobWritten(moment, "store", $"hub/0/{sequence:D20}", Empty, 0, "application/octet-stream", null, "1", false) { Restated = true }
                );
            }
        }

        foreach (var moment in Enum.GetValues<WriteMoment>())
        {
            journal.Write(new CheckpointWritten(moment, "positions", "hub", "readers", "0", $"{checkpoint}", $"{checkpoint}", "me", null, "1"));
        }

        if (more.Length > 0)
        {
            journal.Write(more);
        }
    }

    private Task<FinishedProcess> VerifyAsync(string arguments) =>
        Programs.ConsumerAsync($"verify --ledger {Ledger} --journal {Journal} {arguments}", null, TestContext.Current.CancellationToken);
}
