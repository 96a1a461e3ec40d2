using System.Runtime.CompilerServices;

namespace EventHubThroughput.Testing;

/// <summary>One order of events in which code under test may run: everything that chance decides follows from the seed.</summary>
/// <param name="Seed">Names the schedule.</param>
/// <param name="Clock">The clock that all delays must use.</param>
/// <param name="Random">For decisions that the test itself leaves to chance.</param>
public sealed record Schedule(int Seed, VirtualClock Clock, Random Random)
{
    /// <summary>A delay of 0 to <paramref name="most"/> milliseconds. 0 is a separate step all the same.</summary>
    public async Task PauseAsync(int most, CancellationToken cancellationToken)
    {
        var milliseconds = Random.Next(most + 1);
        if (milliseconds == 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await Task.Yield();
            return;
        }

        await Clock.DelayAsync(TimeSpan.FromMilliseconds(milliseconds), cancellationToken);
    }
}

/// <summary>Runs a body under many schedules.</summary>
public static class Schedules
{
    /// <summary>Runs the body under the schedules that failed in the past, then under as many more as the budget allows.</summary>
    /// <param name="body">The test. It throws when the schedule shows a fault.</param>
    /// <param name="pastFailures">Seeds that once failed. They stay.</param>
    /// <param name="test">The test's name.</param>
    /// <exception cref="ScheduleFailedException">The body threw. The message explains how to repeat the schedule.</exception>
    public static void Explore(Func<Schedule, Task> body, int[]? pastFailures = null, [CallerMemberName] string test = "")
    {
        foreach (var seed in (pastFailures ?? []).Concat(Enumerable.Range(Budget.FirstSeed, Budget.Schedules)))
        {
            try
            {
                VirtualTimeRunner.Run(clock => body(new Schedule(seed, clock, new Random(seed))), seed);
            }
            catch (Exception failure)
            {
                throw new ScheduleFailedException($"schedule {seed} of {test}, repeat with EHT_SEED={seed} EHT_SCHEDULES=1: {failure.Message}", failure);
            }
        }
    }
}

/// <summary>A schedule under which a test failed.</summary>
public sealed class ScheduleFailedException(string message, Exception innerException) : Exception(message, innerException);
