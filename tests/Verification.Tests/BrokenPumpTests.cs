using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Four pumps that lose what they promise, each convicted by name in every run.</summary>
public sealed class BrokenPumpTests
{
    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, Math.Min(100, Budget.Cases))];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Storing_the_position_first_is_a_checkpoint_ahead(int seed) =>
        Convicted(new Simulation(seed) { ChecksFirst = true, Promise = OrderPromise.None }.Play(), "checkpointAhead");

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Storing_the_position_first_shows_although_the_run_was_killed(int seed)
    {
        var run = new Simulation(seed) { ChecksFirst = true }.Play();
        var killed = run.Journal.FindIndex(record => record is CheckpointWritten) + 1;

        Convicted(run with { Journal = run.Journal[..killed] }, "checkpointAhead");
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Dropping_one_write_is_a_loss(int seed)
    {
        var run = new Simulation(seed) { Crashes = seed % 3 }.Play();
        var dropped = run.Ledger[seed % run.Ledger.Count].Sha256;
        run.Journal.RemoveAll(record =>
            seed % 2 == 0 ? record is MessageWritten message && message.Sha256 == dropped : record is BlobWritten blob && blob.Sha256 == dropped
        );

        Convicted(run, "lost", "checkpointAhead");
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Swapping_two_bodies_is_corruption(int seed)
    {
        var run = new Simulation(seed).Play();
        var first = run.Ledger[seed % run.Ledger.Count];
        var second = run.Ledger[(seed + 7) % run.Ledger.Count];
        for (var i = 0; i < run.Journal.Count; i++)
        {
            if (run.Journal[i] is MessageWritten message)
            {
                var other =
                    message.Sha256 == first.Sha256 ? second
                    : message.Sha256 == second.Sha256 ? first
                    : null;
                run.Journal[i] = other is null ? message : message with { Sha256 = other.Sha256, Length = other.Length };
            }
        }

        var verdict = Convicted(run, "corrupt");
        Assert.Equal(2, verdict.Corrupt);
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Writing_twice_is_a_duplicate(int seed)
    {
        var run = new Simulation(seed) { Crashes = seed % 3 }.Play();
        var twice = run
            .Journal.SelectMany(record =>
                record is MessageWritten { Moment: WriteMoment.Stored } message
                    ? new JournalRecord[] { message, message with { Moment = WriteMoment.Begun }, message }
                    : [record]
            )
            .ToList();

        Convicted(run with { Journal = twice }, "duplicateServiceBus");
    }

    private static Verdict Convicted(GoodRun run, params string[] fields)
    {
        var verdict = run.Judge();
        Assert.Equal(VerdictOutcome.Fail, verdict.Outcome);
        Assert.Equal(fields, verdict.Charges.Select(charge => charge.Field));
        return verdict;
    }
}
