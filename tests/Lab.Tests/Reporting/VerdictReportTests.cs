using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class VerdictReportTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("judgement-");

    private string Ledger => Path.Combine(folder.FullName, "ledger");

    private string Journal => Path.Combine(folder.FullName, "journal");

    [Fact]
    public void Is_undecided_and_no_failure_when_nothing_was_named() =>
        Assert.Equal((0, "verdict: undecided (no ledger, no journal)"), (VerdictReport.NothingNamed.Code, VerdictReport.NothingNamed.Line));

    [Fact]
    public void Names_a_source_that_is_missing()
    {
        var verdictReport = VerdictReport.Of(Ledger, Journal, Scope, endedEarly: false);

        Assert.Equal((3, $"verdict: undecided (ledger {Ledger} not found)", "undecided"), (verdictReport.Code, verdictReport.Line, verdictReport.Word));
    }

    [Fact]
    public void Fails_on_a_source_that_is_none()
    {
        File.WriteAllText(Ledger, "{}\n");
        File.WriteAllText(Journal, "{}\n");

        Assert.Equal(3, VerdictReport.Of(Ledger, Journal, Scope, endedEarly: false).Code);
    }

    [Fact]
    public void Fails_when_an_event_is_lost()
    {
        WriteLostEvent(checkpointed: true);

        var verdictReport = VerdictReport.Of(Ledger, Journal, Scope, endedEarly: true);

        Assert.Equal((3, "failed"), (verdictReport.Code, verdictReport.Word));
        Assert.StartsWith("verdict: FAILED (lost 1", verdictReport.Line, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_was_stopped_intentionally_is_undecided_without_a_failure()
    {
        WriteLostEvent(checkpointed: false);

        var verdictReport = VerdictReport.Of(Ledger, Journal, Scope, endedEarly: true);

        Assert.Equal((0, "undecided"), (verdictReport.Code, verdictReport.Word));
    }

    [Fact]
    public void A_run_that_claims_to_be_complete_without_a_checkpoint_is_undecided_and_fails()
    {
        WriteLostEvent(checkpointed: false);

        var verdictReport = VerdictReport.Of(Ledger, Journal, Scope, endedEarly: false);

        Assert.Equal((3, "undecided"), (verdictReport.Code, verdictReport.Word));
        Assert.Equal("verdict: undecided (the run did not finish: partition 0 has no checkpoint, its last event is 0)", verdictReport.Line);
    }

    [Fact]
    public void Fails_on_a_journal_that_was_cut()
    {
        WriteLostEvent(checkpointed: false);
        using (var journal = new FileStream(Journal, FileMode.Open))
        {
            journal.SetLength(journal.Length - 5);
        }

        Assert.Equal(3, VerdictReport.Of(Ledger, Journal, Scope, endedEarly: true).Code);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private static VerificationScope Scope =>
        new()
        {
            Hub = "hub",
            Group = "$Default",
            MessageEntity = "queue",
            ArchiveContainer = "archive",
            CheckpointContainer = "checkpoints",
            DeadLetterContainer = "deadletters",
        };

    private void WriteLostEvent(bool checkpointed)
    {
        const string hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        using (var ledger = LedgerWriter.Open(Ledger))
        {
            ledger.Write(new LedgerRow("run", "hub", null, 0, 0, hash, 0, 0, 0, SendOutcome.Acked));
        }

        using var journal = JournalWriter.Open(Journal);
        journal.Write(
            new EventAppended(
                "hub",
                "0",
                0,
                "0",
                hash,
                0,
                null,
                null,
                new Dictionary<string, string>(StringComparer.Ordinal) { ["eht-run"] = "run", ["eht-index"] = "0" }
            )
        );
        journal.Write(new EventDelivered("hub", "$Default", "0", 0, "link", 0));
        if (checkpointed)
        {
            journal.Write(new CheckpointWritten(WriteMoment.Stored, "checkpoints", "hub", "$default", "0", "0", "0", "owner", null, null));
        }
    }
}
