using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Judging;
using EventHubThroughput.Verification.Reading;
using EventHubThroughput.Verification.Sorting;

namespace EventHubThroughput.Verification;

/// <summary>
/// One reading of both sources and its results. Everything that grows with the number of events is sorted with the help of the disk: facts by event, rows by
/// index, moments by group.
/// </summary>
internal sealed class JudgedRun : IDisposable
{
    private readonly Sources sources;
    private readonly VerificationScope scope;
    private readonly VerificationCounts findings = new();
    private readonly OffsetIndex offsets;
    private readonly LedgerReading ledger;
    private readonly ExternalSort<LedgerFact> byIndex;
    private readonly ExternalSort<Fact> facts;
    private readonly ExternalSort<OrderFact> moments;
    private readonly ExternalSort<RowShare> sharedRows;

    // Set once the sources have been read.
    private JournalContext context = null!;
    private bool ledgerIsWhole;
    private bool journalEndsEarly;

    public JudgedRun(Sources sources, VerificationScope scope, VerifierResources resources, OffsetIndex offsets)
    {
        (this.sources, this.scope, this.offsets) = (sources, scope, offsets);
        // Most of the memory is for the facts: they are the most frequent, and few sorted runs merge faster than many.
        facts = new ExternalSort<Fact>(resources.SortingBytes / 2, resources.TemporaryFolder);
        byIndex = new ExternalSort<LedgerFact>(resources.SortingBytes / 4, resources.TemporaryFolder);
        moments = new ExternalSort<OrderFact>(resources.SortingBytes / 8, resources.TemporaryFolder);
        sharedRows = new ExternalSort<RowShare>(resources.SortingBytes / 8, resources.TemporaryFolder);
        ledger = new LedgerReading(scope, byIndex);
    }

    /// <summary>Reads both sources once for several runs.</summary>
    /// <exception cref="JournalFormatException">Ticks do not increase.</exception>
    public static void Read(Sources sources, IReadOnlyList<JudgedRun> runs)
    {
        foreach (var row in sources.Ledger)
        {
            foreach (var run in runs)
            {
                run.ledger.Read(row);
            }
        }

        var ledgerEndsEarly = sources.LedgerEndsEarly();
        JournalReading[] readings = [.. runs.Select(run => run.BeginJournal(ledgerEndsEarly))];
        long tick = 0;
        foreach (var record in sources.Journal)
        {
            tick = record.Tick > tick ? record.Tick : throw new JournalFormatException($"journal: tick {record.Tick} does not follow tick {tick}");
            foreach (var reading in readings)
            {
                reading.Read(record);
            }
        }

        var isCut = sources.JournalEndsEarly();
        foreach (var (run, reading) in runs.Zip(readings))
        {
            reading.Close();
            run.journalEndsEarly = isCut;
        }
    }

    private JournalReading BeginJournal(bool ledgerEndsEarly)
    {
        ledgerIsWhole = !ledgerEndsEarly;
        context = new JournalContext(scope, ledger.Run, findings, offsets, facts);
        return new JournalReading(context, byIndex, sources.RecordsWhatAKillLeft);
    }

    public Verdict Judge()
    {
        if (scope.Sinks == SinkSet.Handlers)
        {
            new AcknowledgementReading(context, scope.Handlers).Read(scope.Acknowledgements ?? []);
        }

        var join = new LedgerJoin(ledger.Run, findings, facts);
        join.Join(byIndex);
        var order = new OrderJudge(moments, scope.Promise, context.Partitions, findings);
        JudgeEvents(join.Indices, order);
        order.Judge();
        AddReasons();
        return new VerdictBuilder(scope, findings, sources.RecordsExpiry).Build(ledger.Run);
    }

    public void Dispose()
    {
        facts.Dispose();
        byIndex.Dispose();
        moments.Dispose();
        sharedRows.Dispose();
    }

    private void JudgeEvents(IndexRanges indices, OrderJudge order)
    {
        var events = new EventJudge(indices, ledgerIsWhole, context);
        var checkpoints = new CheckpointJudge(context.LastRestart, context.FoundUntil, findings);
        var acknowledgements = scope.Sinks == SinkSet.Handlers ? new AcknowledgementJudge(context) : null;
        var replays = new ReplayJudge(scope, findings, context.Partitions);
        var accounting = new Accounting(sharedRows, context, scope.UpToCheckpoint);
        using var groups = new FactGroups(facts.Drain());
        while (groups.MoveNext())
        {
            var group = groups.Current;
            var partition = context.Partitions[group[0].Partition];
            if (events.Judge(partition, group) is { } state)
            {
                partition.Acknowledge(in state);
                checkpoints.Pass(partition, in state);
                acknowledgements?.Pass(partition, in state);
                replays.Follow(in state, group);
                accounting.Add(partition, in state);
                order.Add(partition, in state, events.Copies);
            }

            checkpoints.Judge(partition, group);
            acknowledgements?.Judge(partition, group);
        }

        replays.Close();
        accounting.Close();
    }

    // A run is complete when its stored checkpoints show it. Its own report proves nothing.
    private void AddWhatIsOpen()
    {
        var open = context.Partitions.All.Where(static partition => partition.LastAcknowledged > partition.Position).ToList();
        findings.IsFinished = open.Count == 0;
        if (open is [var first, .. var others] && !scope.UpToCheckpoint)
        {
            findings.Reasons.Add(
                $"the run did not finish: partition {first.Name} has {(first.HasPosition ? $"checkpoint {first.Position}" : "no checkpoint")}, "
                    + $"its last event is {first.LastAcknowledged}{(others.Count > 0 ? $", and {others.Count} more" : string.Empty)}"
            );
        }
    }

    private void AddReasons()
    {
        AddWhatIsOpen();
        AddIf(
            scope.UpToCheckpoint && !context.Partitions.All.Any(static partition => partition.HasPosition),
            "the run is checked up to its checkpoints, and it has none"
        );
        AddIf(findings is { Delivered: 0, Complete: > 0, IsReadBack: false }, $"no event was delivered to consumer group '{scope.Group}'");
        AddIf(findings is { NeverAppended: > 0, NotRetained.Count: > 0 }, string.Join(", ", findings.NotRetained));
        AddIf(scope is { Sinks: SinkSet.Handlers, Acknowledgements: null }, "there is no record of what the handlers acknowledged");
        AddIf(!ledgerIsWhole, "the ledger ends early");
        AddIf(journalEndsEarly, "the journal ends early");
        // If nothing was sent to a hub and nothing was appended there, there is nothing to check.
        AddIf(findings.Attempted == 0 && (!ledger.IsEmpty || findings.Appended > 0), "the ledger has no event of this run and hub");
        AddIf(scope.Run is null && ledger.HasOtherRuns, "the ledger has several runs and none was given");
        AddIf(findings is { Appended: > 0, StampsRecorded: false }, "the journal does not record eht-run and eht-index");
        AddIf(
            findings.Unproven > 0,
            $"{Plural.Format(findings.Unproven, "event")} had begun when the emulator ended, and the journal does not record what was stored"
        );

        void AddIf(bool holds, string reason)
        {
            if (holds)
            {
                findings.Reasons.Add(reason);
            }
        }
    }
}
