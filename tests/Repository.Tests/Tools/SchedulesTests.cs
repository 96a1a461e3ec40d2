using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Tools;

/// <summary>The explorer of schedules that other tests trust.</summary>
public sealed class SchedulesTests
{
    [Fact]
    public void A_failure_names_its_schedule_and_how_to_repeat_it()
    {
        var failure = Assert.Throws<ScheduleFailedException>(() => Schedules.Explore(_ => throw new FormatException("odd"), pastFailures: [77], test: "X"));

        Assert.Equal("schedule 77 of X, repeat with EHT_SEED=77 EHT_SCHEDULES=1: odd", failure.Message);
        Assert.IsType<FormatException>(failure.InnerException);
    }

    [Fact]
    public void Past_failures_come_first_and_then_the_number_of_schedules_of_the_budget()
    {
        var seeds = new List<int>();
        Schedules.Explore(
            schedule =>
            {
                seeds.Add(schedule.Seed);
                return Task.CompletedTask;
            },
            pastFailures: [77, 5]
        );

        Assert.Equal([77, 5, .. Enumerable.Range(Budget.FirstSeed, Budget.Schedules)], seeds);
    }

    [Fact]
    public void Finds_the_schedule_in_which_a_race_is_lost()
    {
        var lost = 0;
        for (var seed = 0; seed < 100; seed++)
        {
            VirtualTimeRunner.Run(
                async _ =>
                {
                    var count = 0;
                    await Task.WhenAll(AddOneAsync(), AddOneAsync());
                    lost += count == 1 ? 1 : 0;

                    async Task AddOneAsync()
                    {
                        await Task.Yield();
                        var before = count;
                        await Task.Yield();
                        count = before + 1;
                    }
                },
                seed
            );
        }

        Assert.InRange(lost, 1, 99);
    }

    [Fact]
    public void Code_that_comes_back_from_another_thread_is_refused()
    {
        var failure = Assert.Throws<InvalidOperationException>(() =>
            VirtualTimeRunner.Run(async _ =>
            {
                var elsewhere = new TaskCompletionSource();
                var waiting = WaitAsync(elsewhere.Task);
                var thread = new Thread(elsewhere.SetResult);
                thread.Start();
                thread.Join();
                await waiting;
            })
        );

        Assert.StartsWith("The code under test has left the scheduler", failure.Message, StringComparison.Ordinal);

        static async Task WaitAsync(Task task) => await task;
    }
}
