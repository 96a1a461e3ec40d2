using EventHubThroughput.Testing;
using EventHubThroughput.Verification.Facts;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

public sealed class GoodRunTests
{
    [Fact]
    public void Every_correct_run_passes()
    {
        var property = Prop.ForAll(
            Seeds,
            seed =>
            {
                var verdict = Of(seed).Play().Judge();
                Assert.True(verdict.Outcome == VerdictOutcome.Pass, $"seed {seed}: {verdict.Summary}");
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Fact]
    public void Replays_are_counted_and_pass()
    {
        var verdicts = Enumerable
            .Range(0, Math.Min(200, Budget.Cases))
            .Select(seed =>
                new Simulation(seed) { Crashes = 3 }
                    .Play()
                    .Judge()
            )
            .ToList();

        Assert.All(verdicts, verdict => Assert.Equal(VerdictOutcome.Pass, verdict.Outcome));
        Assert.Contains(verdicts, verdict => verdict is { Replayed: > 0, DuplicateServiceBus: > 0, Repeated: > 0 });
    }

    [Fact]
    public void The_summary_states_the_proven_facts()
    {
        var verdict = new Simulation(1) { Events = 60 }
            .Play()
            .Judge();

        Assert.Equal(
            $"verdict: clean (60 of 60 in the queue and in the container, 0 duplicates, {verdict.Checkpoints} checkpoints never ahead)",
            verdict.Summary
        );
    }

    [Fact]
    public void A_run_without_order_is_counted_and_not_charged()
    {
        var run = new Simulation(3)
        {
            Events = 200,
            Keys = 1,
            Partitions = 1,
            Degree = 8,
        }.Play();

        var verdict = run.Judge();
        Assert.Equal(VerdictOutcome.Pass, verdict.Outcome);
        Assert.True(verdict is { OrderStartPartition: > 0, OrderEndKey: > 0, OverlapKey: > 0 });

        var promised = (run with { Scope = GoodRun.GetScope(OrderPromise.Key) }).Judge();
        Assert.Equal(["orderStartKey", "orderEndKey", "overlapKey"], promised.Charges.Select(charge => charge.Field));
    }

    private static Arbitrary<int> Seeds => Gen.Choose(0, int.MaxValue).ToArbitrary();

    [Fact]
    public void Dead_letters_and_lost_answers_are_counted_and_pass()
    {
        var verdict = new Simulation(5)
        {
            PoisonEvery = 10,
            LostAnswerEvery = 4,
            Crashes = 2,
            RestartsEmulator = true,
        }
            .Play()
            .Judge();

        Assert.Equal(VerdictOutcome.Pass, verdict.Outcome);
        Assert.Equal((40, 40, 40), (verdict.Acknowledged, verdict.Delivered, verdict.Complete));
        Assert.Equal(4, verdict.DeadLettered);
        Assert.True(verdict.DuplicateServiceBus > 0);
        Assert.StartsWith("verdict: clean (40 of 40 in the queue and in the container or among 4 dead letters, ", verdict.Summary, StringComparison.Ordinal);
    }

    internal static Simulation Of(int seed)
    {
        var random = new Random(seed);
        return new Simulation(seed)
        {
            Events = random.Next(1, 60),
            Partitions = random.Next(1, 4),
            Keys = random.Next(0, 6),
            Crashes = random.Next(0, 4),
            Degree = random.Next(1, 9),
            Promise = (OrderPromise)random.Next(3),
            RestartsEmulator = random.Next(3) == 0,
            PoisonEvery = random.Next(3) == 0 ? random.Next(2, 9) : 0,
            LostAnswerEvery = random.Next(3) == 0 ? random.Next(2, 9) : 0,
        };
    }
}
