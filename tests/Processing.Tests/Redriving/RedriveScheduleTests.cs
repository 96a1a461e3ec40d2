using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Redriving;

/// <summary>Redrives beside and after each other, under faults and crashes, in virtual time.</summary>
public sealed class RedriveScheduleTests
{
    [Fact]
    public void Takes_a_claim_over_when_it_has_run_out_and_not_before() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var bench = new RedriveBench();
            await bench.GiveUpAsync(1, "blob");
            var record = bench.Container.Blobs[RedriveBench.GetName(1)].Metadata!;
            await bench.Container.SetMetadataAsync(
                RedriveBench.GetName(1),
                DeadLetterFields.WithClaim(record, "dead", TimeSpan.FromSeconds(60)),
                default,
                CancellationToken.None
            );

            var result = await bench.RunAsync(GetOptions(clock, new Random(1)), CancellationToken.None);

            Assert.True(result.IsEmpty);
            Assert.InRange(clock.Elapsed, TimeSpan.FromSeconds(75), TimeSpan.FromSeconds(77));
            Assert.Equal(["waiting for 1 dead letter that another redrive has claimed"], bench.Notices);
        });

    [Fact]
    public void A_write_that_does_not_end_leaves_its_dead_letter_claimed_and_is_reported() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var bench = new RedriveBench();
            await bench.GiveUpAsync(1, "servicebus", "blob");
            bench.Blob.HangOn(1);

            // The drain limit expires before the try ends.
            using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(1), clock);
            var result = await bench.RunAsync(GetOptions(clock, new Random(1)) with { DrainLimit = TimeSpan.FromSeconds(2) }, stop.Token);

            Assert.Equal(RedriveOutcome.Cut, Assert.Single(bench.Steps).Outcome);
            var record = bench.Container.Blobs[RedriveBench.GetName(1)].Metadata!;
            Assert.Equal("blob", record["sinks"]);
            Assert.Contains(DeadLetterFields.Claim, record.Keys);
            Assert.Equal((ProcessingEnd.Stopped, 0L), (result.End, result.Redriven));
        });

    [Fact]
    public void Two_concurrent_redrives_write_each_dead_letter_once() =>
        Schedules.Explore(async schedule =>
        {
            var bench = new RedriveBench();
            var writes = new WriteCounts();
            await WriteCounts.FillAsync(bench, writes, schedule.Random);
            bench.Container.Before = (_, _) => schedule.PauseAsync(5, CancellationToken.None);
            bench.Container.After = (_, _) => schedule.PauseAsync(5, CancellationToken.None);

            var results = await Task.WhenAll(
                Enumerable
                    .Range(0, 3)
                    .Select(_ =>
                        bench.RunAsync(
                            bench.Container,
                            GetOptions(schedule.Clock, schedule.Random) with
                            {
                                MaxConcurrency = schedule.Random.Next(1, 4),
                            },
                            CancellationToken.None,
                            new CountingSink("servicebus", writes, schedule),
                            new CountingSink("blob", writes, schedule)
                        )
                    )
            );

            Assert.Empty(bench.Container.Blobs);
            Assert.All(results, result => Assert.True(result.IsEmpty));
            Assert.All(writes.All, pair => Assert.Equal(1, pair.Value));
            Assert.Equal(writes.Expected, writes.All.Keys.ToHashSet());
        });

    [Fact]
    public void Nothing_is_lost_and_nothing_written_twice_without_a_crash_or_a_lost_answer_between() =>
        Schedules.Explore(async schedule =>
        {
            var bench = new RedriveBench();
            var writes = new WriteCounts();
            await WriteCounts.FillAsync(bench, writes, schedule.Random);
            var crashes = 0;
            for (var process = 0; process < 4; process++)
            {
                var life = new ProcessLife(schedule.Random.Next(1, 60));
                var degree = schedule.Random.Next(1, 4);
                try
                {
                    var result = await bench.RunAsync(
                        new MortalContainer(bench.Container, life, schedule),
                        GetOptions(schedule.Clock, schedule.Random) with
                        {
                            MaxConcurrency = degree,
                        },
                        CancellationToken.None,
                        new CountingSink("servicebus", writes, schedule, life),
                        new CountingSink("blob", writes, schedule, life)
                    );

                    // Out of tries in the middle of its bookkeeping is as good as killed.
                    crashes += result.Faults.Count > 0 ? 1 : 0;
                }
                catch (CrashException)
                {
                    crashes++;
                }

                writes.CheckThatNothingIsLost(bench.Container);
            }

            var last = await bench.RunAsync(
                bench.Container,
                GetOptions(schedule.Clock, schedule.Random),
                CancellationToken.None,
                new CountingSink("servicebus", writes, schedule),
                new CountingSink("blob", writes, schedule)
            );

            Assert.True(last.IsEmpty);
            Assert.Empty(bench.Container.Blobs);
            Assert.Equal(writes.Expected, writes.All.Keys.ToHashSet());
            Assert.All(writes.All, pair => Assert.InRange(pair.Value, 1, 1 + crashes + writes.GetLostAnswers(pair.Key)));
        });

    private static RedriveOptions GetOptions(TimeProvider clock, Random random) => new() { TimeProvider = clock, Jitter = random.NextDouble };
}
