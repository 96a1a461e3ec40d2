using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>What cannot be known is never a pass, and never hides what is proven.</summary>
public sealed class UndecidedTests : IDisposable
{
    private readonly string ledgerPath = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.ledger");
    private readonly string journalPath = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");

    public void Dispose()
    {
        File.Delete(ledgerPath);
        File.Delete(journalPath);
    }

    [Fact]
    public void A_run_without_an_end_is_undecided_about_what_is_missing()
    {
        var run = new MutableRun(OrderPromise.None);
        run.WithoutCheckpoints();
        run.DropSinks(run.Middle);

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Undecided, false), (verdict.Outcome, verdict.Finished));
        Assert.Equal("verdict: undecided (the run did not finish: partition 0 has no checkpoint, its last event is 19, and 1 more)", verdict.Summary);
        Assert.Equal(1, verdict.Lost);
        Assert.Contains("lost", verdict.NotJudged);
    }

    [Fact]
    public void A_breach_is_a_breach_although_the_run_has_no_end()
    {
        var run = new MutableRun(OrderPromise.None);
        RemoveCheckpoints(run, record => record.Sequence == "19");
        run.DropSinks(run.Middle);

        var verdict = run.Judge();

        Assert.Equal(VerdictOutcome.Fail, verdict.Outcome);
        Assert.Equal("verdict: FAILED (checkpointAhead 2, first: partition 0 sequence 7: not complete when checkpoint 9 was stored)", verdict.Summary);
    }

    [Theory]
    [InlineData("20")]
    [InlineData("many")]
    [InlineData("7")]
    public void A_checkpoint_from_before_the_journal_is_not_attributed_to_the_run(string sequence)
    {
        var run = new MutableRun(OrderPromise.None);
        var found = run.Of(0, 7).Checkpoint("somebody") with { Sequence = sequence, Offset = null };
        run.Journal.Insert(0, found);
        Assert.Equal((VerdictOutcome.Fail, 1), (run.Judge().Outcome, run.Judge().CheckpointAhead));

        run.Journal.Insert(1, new StateFound());
        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);

        // Records after it are judged, and so are records after a change of state.
        run.Journal.Insert(2, found);
        Assert.Equal((VerdictOutcome.Fail, 1), (run.Judge().Outcome, run.Judge().CheckpointAhead));
        run.Journal.RemoveAt(2);
        run.Journal.Add(run.Of(0, 19).Checkpoint() with { Sequence = "many", Offset = null });
        run.Journal.Add(new StateFound());
        Assert.Equal((VerdictOutcome.Fail, 1), (run.Judge().Outcome, run.Judge().CheckpointAhead));
    }

    [Fact]
    public void Foreign_blobs_and_messages_from_before_the_journal_are_not_attributed_to_the_run()
    {
        var run = new MutableRun(OrderPromise.None);
        var blob = run.Of(0, 7).Blob(WriteMoment.Stored) with { Name = $"hub/0/{9999:D20}" };
        var message = run.Of(0, 7).Message(WriteMoment.Stored) with { MessageId = "hub-0-9999" };
        run.Journal.InsertRange(0, [blob, message]);
        Assert.Equal((VerdictOutcome.Fail, 2), (run.Judge().Outcome, run.Judge().Unexpected));

        run.Journal.Insert(2, new StateFound());
        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);

        run.Journal.Add(blob);
        Assert.Equal((VerdictOutcome.Fail, 1), (run.Judge().Outcome, run.Judge().Unexpected));
    }

    [Fact]
    public void A_dead_letter_from_before_the_journal_may_be_of_an_event_that_is_delivered_again()
    {
        var run = new MutableRun(OrderPromise.None);
        var at = run.Journal.FindLastIndex(static record => record is EventAppended) + 1;
        run.Journal.Insert(at, run.Middle.DeadLetter());
        Assert.Equal((VerdictOutcome.Fail, 1), (run.Judge().Outcome, run.Judge().Accounting));

        run.Journal.Insert(at + 1, new StateFound());
        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Fact]
    public void Nothing_sent_to_a_hub_that_took_nothing_in_is_clean()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Ledger.Clear();
        run.Journal.Clear();

        Assert.Equal("verdict: clean (0 of 0 in the queue and in the container, 0 duplicates, 0 checkpoints never ahead)", run.Judge().Summary);
    }

    [Fact]
    public void An_empty_ledger_is_undecided_when_the_hub_has_an_event()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Ledger.Clear();
        run.Journal.RemoveAll(static record => record is not EventAppended);

        Assert.Equal("verdict: undecided (the ledger has no event of this run and hub)", run.Judge().Summary);
    }

    [Fact]
    public void Two_runs_in_a_ledger_are_undecided_until_one_is_named()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Ledger.Add(run.Middle.Row() with { Run = "run-2" });

        Assert.Equal("verdict: undecided (the ledger has several runs and none was given)", run.Judge().Summary);
        run.Scope = run.Scope with { Run = GoodRun.Run };
        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Fact]
    public void A_journal_without_stamps_is_undecided()
    {
        var run = new MutableRun(OrderPromise.None);
        for (var i = 0; i < run.Journal.Count; i++)
        {
            run.Journal[i] = run.Journal[i] switch
            {
                EventAppended appended => appended with { Properties = null },
                MessageWritten message => message with { Properties = null },
                var other => other,
            };
        }

        Assert.Equal("verdict: undecided (the journal does not record eht-run and eht-index)", run.Judge().Summary);
    }

    [Fact]
    public void Sequence_numbers_that_start_again_are_undecided()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Journal.Add(run.Middle.Append());

        Assert.Equal("verdict: undecided (sequence numbers of partition 0 start again)", run.Judge().Summary);
    }

    [Fact]
    public void Copies_are_not_judged_where_deliveries_are_not_recorded()
    {
        var run = new MutableRun(OrderPromise.None);
        run.AddCopy(redelivered: false);
        WithoutDeliveries(run);
        run.Journal.InsertRange(0, [new PartitionReadBack(GoodRun.Hub, "0", 0), new PartitionReadBack(GoodRun.Hub, "1", 0)]);

        var verdict = run.Judge();

        Assert.Equal((VerdictOutcome.Pass, 1L), (verdict.Outcome, verdict.DuplicateServiceBus));
        Assert.Contains("duplicateServiceBus", verdict.NotJudged);
    }

    [Fact]
    public void A_run_of_which_nothing_was_delivered_to_the_group_is_undecided()
    {
        var run = new MutableRun(OrderPromise.None);
        WithoutDeliveries(run);

        Assert.Equal("verdict: undecided (no event was delivered to consumer group '$Default')", run.Judge().Summary);
    }

    [Fact]
    public void A_run_is_not_through_before_its_last_checkpoint_is_stored()
    {
        var run = new MutableRun(OrderPromise.None);
        RemoveCheckpoints(run, record => record is { Partition: "1", Sequence: "19" });
        Assert.Equal("verdict: undecided (the run did not finish: partition 1 has checkpoint 14, its last event is 19)", run.Judge().Summary);
    }

    [Fact]
    public void A_checkpoint_that_was_asked_for_and_not_stored_ends_no_run()
    {
        var run = new MutableRun(OrderPromise.None);
        for (var i = 0; i < run.Journal.Count; i++)
        {
            run.Journal[i] = run.Journal[i] is CheckpointWritten { Sequence: "19" } last ? last with { Moment = WriteMoment.Begun } : run.Journal[i];
        }

        Assert.False(run.Judge().Finished);
    }

    [Fact]
    public void An_event_that_expired_before_its_delivery_needs_no_checkpoint()
    {
        var run = new MutableRun(OrderPromise.None);
        var last = run.Of(1, MutableRun.PerPartition - 1);
        run.DropSinks(last);
        run.Journal.RemoveAll(record => record is EventDelivered { Partition: "1", Sequence: 19 });
        RemoveCheckpoints(run, record => record is { Partition: "1", Sequence: "19" });
        run.Journal.Add(run.Of(1, 18).Checkpoint());
        run.Journal.Add(new EventExpired(GoodRun.Hub, last.Partition, last.Sequence));

        var verdict = run.Judge();

        Assert.True(verdict.Finished);
        Assert.Equal(["expired"], verdict.Charges.Select(charge => charge.Field));
    }

    [Fact]
    public void Events_that_a_namespace_no_longer_retains_may_be_lost_or_not()
    {
        var run = new MutableRun(OrderPromise.None);
        WithoutDeliveries(run);
        run.Journal.RemoveAll(record => record is EventAppended { Partition: "0", Sequence: 0 });
        run.DropSinks(run.Of(0, 0));
        run.Journal.InsertRange(0, [new PartitionReadBack(GoodRun.Hub, "0", 1), new PartitionReadBack(GoodRun.Hub, "1", 0)]);

        Assert.Equal("verdict: undecided (partition 0: retention removed the events before 1)", run.Judge().Summary);
    }

    [Fact]
    public void Ticks_that_do_not_increase_are_refused()
    {
        var run = new MutableRun(OrderPromise.None);
        var records = GoodRun.Numbered(run.Journal).ToList();
        records[5] = records[5] with { Tick = 5 };

        var failure = Assert.Throws<JournalFormatException>(() => Verifier.Judge(run.Ledger, records, run.Scope));
        Assert.Equal("journal: tick 5 does not follow tick 5", failure.Message);
    }

    [Fact]
    public void An_index_that_is_twice_in_the_ledger_is_refused()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Ledger.Add(run.Middle.Row());

        Assert.Throws<JournalFormatException>(() => run.Judge());
    }

    [Fact]
    public void Files_that_are_whole_pass()
    {
        var run = Save(new MutableRun(OrderPromise.Partition));

        Assert.Equal(VerdictOutcome.Pass, JudgeFiles(run).Outcome);
    }

    [Fact]
    public void A_journal_cut_in_its_last_record_is_undecided()
    {
        var run = Save(new MutableRun(OrderPromise.None));
        Cut(journalPath, 3);

        Assert.Equal(
            "verdict: undecided (the journal ends early; the run did not finish: partition 1 has checkpoint 14, its last event is 19)",
            JudgeFiles(run).Summary
        );
    }

    [Fact]
    public void A_journal_cut_in_the_middle_is_refused()
    {
        var run = Save(new MutableRun(OrderPromise.None));
        var lines = File.ReadAllLines(journalPath).ToList();
        lines[50] = lines[50][..20];
        File.WriteAllLines(journalPath, lines);

        var failure = Assert.Throws<JournalFormatException>(() => JudgeFiles(run));
        Assert.Equal("journal record 50: checksum missing", failure.Message);
    }

    [Fact]
    public void Events_that_a_cut_ledger_does_not_have_are_not_held_against_the_run()
    {
        var run = Save(new MutableRun(OrderPromise.None));
        File.WriteAllLines(ledgerPath, File.ReadAllLines(ledgerPath)[..20]);

        var verdict = JudgeFiles(run);

        Assert.Equal("verdict: undecided (the ledger ends early)", verdict.Summary);
        Assert.Equal(0, verdict.Unexpected);
    }

    [Fact]
    public void A_write_in_flight_at_the_end_of_an_older_emulator_may_have_been_stored()
    {
        var run = Save(KilledInTheMiddle());
        ChangeVersion(4);

        Assert.Equal(
            "verdict: undecided (1 event had begun when the emulator ended, and the journal does not record what was stored)",
            JudgeFiles(run).Summary
        );
    }

    [Fact]
    public void A_write_that_a_restarted_emulator_does_not_record_was_never_stored()
    {
        var run = KilledInTheMiddle();

        Assert.Equal(["lost", "checkpointAhead"], run.Judge().Charges.Select(charge => charge.Field));
    }

    [Fact]
    public void A_write_that_a_restarted_emulator_records_was_stored()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Journal.Insert(run.BlobAt(run.Middle), new EmulatorStarted());

        Assert.Equal(VerdictOutcome.Pass, run.Judge().Outcome);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_write_that_began_after_the_restart_of_the_emulator_is_lost(bool blob)
    {
        var run = new MutableRun(OrderPromise.None);
        var begun = blob ? run.BlobAt(run.Middle, WriteMoment.Begun) : run.MessageAt(run.Middle, WriteMoment.Begun);
        run.Journal.Insert(begun, new EmulatorStarted());
        run.Journal.RemoveAt(blob ? run.BlobAt(run.Middle) : run.MessageAt(run.Middle));

        Assert.Equal(["lost", "checkpointAhead"], run.Judge().Charges.Select(charge => charge.Field));
    }

    [Fact]
    public void A_journal_of_an_older_version_does_not_record_expired_events()
    {
        var run = Save(new MutableRun(OrderPromise.None));
        Assert.DoesNotContain("expired", JudgeFiles(run).NotJudged);
        ChangeVersion(2);

        var verdict = JudgeFiles(run);
        Assert.Equal(VerdictOutcome.Pass, verdict.Outcome);
        Assert.Contains("expired", verdict.NotJudged);
    }

    [Fact]
    public void Replays_are_not_judged_without_a_replay_limit()
    {
        var run = new MutableRun(OrderPromise.None);
        Assert.Contains("replayBound", run.Judge().NotJudged);
        run.Scope = run.Scope with { ReplayLimit = 100 };

        var verdict = run.Judge();
        Assert.DoesNotContain("replayBound", verdict.NotJudged);
        Assert.Equal(100, verdict.ReplayBound);
    }

    [Fact]
    public void Checkpoints_with_offsets_alone_have_the_journal_read_a_second_time()
    {
        var run = new MutableRun(OrderPromise.None);
        for (var i = 0; i < run.Journal.Count; i++)
        {
            run.Journal[i] = run.Journal[i] is CheckpointWritten checkpoint ? checkpoint with { Sequence = null } : run.Journal[i];
        }

        var readings = 0;
        var verdict = Verifier.Judge(run.Ledger, Records(), run.Scope);

        Assert.Equal((VerdictOutcome.Pass, 8L, 2), (verdict.Outcome, verdict.Checkpoints, readings));

        IEnumerable<JournalRecord> Records()
        {
            readings++;
            foreach (var record in GoodRun.Numbered(run.Journal))
            {
                yield return record;
            }
        }
    }

    private static void WithoutDeliveries(MutableRun run) => run.Journal.RemoveAll(static record => record is EventDelivered or ReaderAttached);

    private static void RemoveCheckpoints(MutableRun run, Func<CheckpointWritten, bool> which) =>
        run.Journal.RemoveAll(record => record is CheckpointWritten checkpoint && which(checkpoint));

    private static void Cut(string path, int bytes)
    {
        using var file = File.OpenWrite(path);
        file.SetLength(file.Length - bytes);
    }

    private MutableRun Save(MutableRun run)
    {
        using var ledger = LedgerWriter.Open(ledgerPath);
        run.Ledger.ForEach(ledger.Write);
        using var journal = JournalWriter.Open(journalPath);
        run.Journal.ForEach(record => journal.Write(record));
        return run;
    }

    private static MutableRun KilledInTheMiddle()
    {
        var run = new MutableRun(OrderPromise.None);
        run.Journal.Insert(run.BlobAt(run.Middle), new EmulatorStarted());
        run.Journal.RemoveAt(run.BlobAt(run.Middle));
        return run;
    }

    private void ChangeVersion(int version) =>
        File.WriteAllText(
            journalPath,
            File.ReadAllText(journalPath).Replace($"\"version\":{JournalFile.NewestVersion}", $"\"version\":{version}", StringComparison.Ordinal)
        );

    private Verdict JudgeFiles(MutableRun run) => Verifier.Judge(LedgerFile.Open(ledgerPath), JournalFile.Open(journalPath), run.Scope);
}
