using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Verification;
using Xunit;
using JudgedRun = EventHubThroughput.Lab.Verifying.JudgedRun;

namespace EventHubThroughput.Lab.Tests.Verifying;

/// <summary>A reader of a verdict sees which of its numbers are good, bad or neither.</summary>
public sealed class VerdictTextTests
{
    private static readonly Verdict Clean = new()
    {
        Outcome = VerdictOutcome.Pass,
        Run = "one",
        Attempted = 60,
        Acknowledged = 60,
        Delivered = 60,
        Complete = 60,
        DuplicateServiceBus = 2,
        Repeated = 2,
        OrderStartKey = 7,
        Checkpoints = 6,
        Replayed = 2,
        ReplayExact = 2,
        ReplayBound = 10,
        Charges = [],
        NotJudged = [],
    };

    [Fact]
    public void Parts_the_numbers_into_what_was_counted_what_must_be_0_and_what_is_not_judged() =>
        Assert.Equal(
            """
            run                         one
            events                      event hub 'hub', consumer group '$Default'
            sinks                       'queue' and container 'archive', dead letters in 'deadletters'
            checkpoints in              'checkpoints'
            guaranteed order            partition

            Counts:
              attempted                              60  events that the sender tried to send
              acknowledged                           60  events that the service confirmed to the sender
              delivered                              60  acknowledged events that were delivered to the consumer group
              complete                               60  acknowledged events that each sink has, or that a dead letter records for it
              deadLettered                            0  events that are stored among the dead letters
              unclaimed                               0  not complete, beyond the checkpoints of a run that was planned to end before its backlog
              recovered                               0  events whose outcome the sender does not know, but complete
              duplicateServiceBus                     2  copies in the queue beyond one for each event, explained or not
              redundantDeadLetters                    0  dead letters that name a sink which had the event, explained or not
              repeated                                2  uploads whose blob already existed with the same bytes
              checkpoints                             6  checkpoints of the consumer group that were stored
              checkpointRegressionAcross              0  checkpoints below the last one of the preceding owner
              replayed                                2  deliveries of events of which a write had begun before
              replayExact                             2  the most events that one crash or change of owner could make repeat
              replayBound                            10  the limit of this number

            Guarantees, broken unless 0: all 13 are 0
              lost                                    0  acknowledged events that a sink lacks and no dead letter records for it
              unexpected                              0  records at a sink that belong to no event of the run
              corrupt                                 0  events of which a copy differs from what was sent
              duplicateBlob                           0  blobs that replaced another one of the same event
              orderStartPartition                     0  messages that began after the message of a later event of the partition
              orderEndPartition                       0  messages that were stored after the message of a later event of the partition
              overlapPartition                        0  events that began before the preceding event of the partition was complete
              checkpointAhead                         0  checkpoints at or beyond an event that was not yet complete
              checkpointRegressionWithin              0  checkpoints of an owner that are not above its preceding one
              expired                                 0  acknowledged events that retention removed before delivery
              accounting                              0  events that are complete and were never delivered
              duplicateServiceBus, unexplained        0  copies that no replay, cut connection or late answer explains
              replayBound, exceeded                   0  events repeated beyond the limit, or beyond what the end of the preceding owner explains

            Not verified:
              orderStartKey                           7  no guarantee
              orderEndKey                             0  no guarantee
              overlapKey                              0  no guarantee

            verdict: clean (60 of 60 in the queue and in the container, 2 duplicates, 6 checkpoints never ahead)

            """,
            GetText(Clean, OrderPromise.Partition)
        );

    [Fact]
    public void Names_what_is_not_0_with_the_numbers_of_its_charges()
    {
        var text = GetText(
            Clean with
            {
                Outcome = VerdictOutcome.Fail,
                Lost = 3,
                DuplicateServiceBus = 9,
                Charges =
                [
                    new Charge("lost", 3, "first"),
                    new Charge("duplicateServiceBus", 4, "second"),
                    new Charge("replayBound", 1, "third"),
                    new Charge("novel", 5, "fourth"),
                ],
            },
            OrderPromise.None
        );

        Assert.Contains(
            "Guarantees, broken unless 0: 4 of 11 are not 0 (lost; duplicateServiceBus, unexplained; replayBound, exceeded; novel)\n",
            text,
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["3", "4", "1", "5", "9"],
            new[] { "lost", "duplicateServiceBus, unexplained", "replayBound, exceeded", "novel", "duplicateServiceBus" }.Select(name => GetValue(text, name))
        );
        Assert.Contains("charge                      lost 3, first: first\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_count_without_evidence_is_never_shown_as_0()
    {
        var undecided = Clean with
        {
            Outcome = VerdictOutcome.Undecided,
            Lost = 3,
            ReplayBound = null,
            Reasons = ["the run did not finish"],
            NotJudged = ["lost", "expired", "duplicateServiceBus", "accounting", "replayBound"],
        };
        var text = GetText(undecided, promise: null, unknown: ["replayed", "replayBound"]);

        var notJudged = text[text.IndexOf("Not verified", StringComparison.Ordinal)..];
        Assert.Equal(
            ["3", "-", "-", "-", "-", "7"],
            new[] { "lost", "duplicateServiceBus, unexplained", "replayed", "replayBound", "replayBound, exceeded", "orderStartKey" }.Select(name =>
                GetValue(notJudged, name)
            )
        );
        Assert.Contains("  neither a strategy nor a guarantee was given\n", notJudged, StringComparison.Ordinal);
        Assert.Contains("all 5 are 0\n", text, StringComparison.Ordinal);
        Assert.EndsWith("verdict: undecided (the run did not finish)\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_limit_that_was_not_named_and_expiry_that_the_run_accepted_are_not_judged()
    {
        var text = GetText(Clean with { ReplayBound = null, Expired = 4, NotJudged = ["replayBound"] }, OrderPromise.None, acceptsExpired: true);

        Assert.Contains("  replayBound                             -  no replay limit was given\n", text, StringComparison.Ordinal);
        Assert.Contains("  expired                                 4  accepted by the run\n", text, StringComparison.Ordinal);
        Assert.Equal("0", GetValue(text, "replayBound, exceeded"));
    }

    [Fact]
    public void Every_number_of_a_verdict_has_its_place_and_its_meaning()
    {
        var numbers = typeof(Verdict).GetProperties().Where(member => member.PropertyType == typeof(long) || member.PropertyType == typeof(long?)).ToArray();
        var all = new Verdict { Charges = [], NotJudged = [] };
        foreach (var (place, number) in numbers.Index())
        {
            number.SetValue(all, place + 1L);
        }

        Assert.Equal(numbers.Select(number => ResultJson.Naming(number.Name)), VerdictField.All.Select(field => field.Name));
        Assert.Equal(Enumerable.Range(1, numbers.Length).Select(place => (long?)place), VerdictField.All.Select(field => field.GetValue(GetSafety(all, []))));
        Assert.All(VerdictField.All, field => Assert.NotEmpty(field.Meaning));
    }

    private static string GetValue(string text, string name) =>
        text.Split('\n')
            .Single(line => line.StartsWith("  " + name + "  ", StringComparison.Ordinal))[(name.Length + 2)..]
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];

    private static SafetyFigures GetSafety(Verdict verdict, IReadOnlyCollection<string> unknown) =>
        VerdictDocument.Of(new VerdictReport(verdict, verdict.Summary, 0), unknown);

    [Fact]
    public void Long_texts_continue_below_their_begin_on_a_terminal_of_80_columns()
    {
        var text = GetText(Clean, OrderPromise.Partition, columns: 80).ReplaceLineEndings("\n");

        Assert.All(text.Split('\n'), static line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains(
            """
              complete                               60  acknowledged events that each sink
                                                         has, or that a dead letter records
                                                         for it

            """,
            text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            """
            sinks                       'queue' and container 'archive', dead letters in
                                        'deadletters'

            """,
            text,
            StringComparison.Ordinal
        );
    }

    private static string GetText(
        Verdict verdict,
        OrderPromise? promise,
        IReadOnlyCollection<string>? unknown = null,
        bool acceptsExpired = false,
        int? columns = null
    )
    {
        var scope = new VerificationScope
        {
            Hub = "hub",
            Group = "$Default",
            MessageEntity = "queue",
            ArchiveContainer = "archive",
            CheckpointContainer = "checkpoints",
            DeadLetterContainer = "deadletters",
            Promise = promise ?? OrderPromise.None,
            ReplayLimit = (int?)verdict.ReplayBound,
            AcceptsExpired = acceptsExpired,
        };
        using var output = new StringWriter();
        VerdictText.Write(
            new JudgedRun(verdict, scope, []) { Unknown = unknown ?? [] },
            GetSafety(verdict, unknown ?? []),
            promise is not null,
            columns,
            output
        );
        return output.ToString();
    }
}
