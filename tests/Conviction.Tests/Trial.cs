using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests;

/// <summary>Puts a consumer on trial: a hundred runs, each under a separate schedule, each judged by the verifier.</summary>
internal static class Trial
{
    public const int Runs = 100;

    /// <summary>Every run is convicted, of exactly these charges.</summary>
    public static void Convicts(string[] charges, Func<Schedule, Task<Verdict>> run) =>
        Repeat(async schedule => Assert.Equal(charges, GetCharges(await run(schedule))));

    /// <summary>No run is convicted of anything, and each is judged to its end.</summary>
    public static void Clears(Func<Schedule, Task<Verdict>> run) =>
        Repeat(async schedule =>
        {
            var verdict = await run(schedule);
            Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        });

    public static void Repeat(Func<Schedule, Task> run)
    {
        for (var seed = 0; seed < Runs; seed++)
        {
            VirtualTimeRunner.Run(clock => run(new Schedule(seed, clock, new Random(seed))), seed);
        }
    }

    /// <summary>
    /// The same code under the consumer's own pump: it is stopped with an error, and once what troubled it has ended, a consumer
    /// that takes its place leaves nothing lost.
    /// </summary>
    /// <param name="services">The services, with their trouble.</param>
    /// <param name="strategy">The code on trial.</param>
    /// <param name="batch">The batch size.</param>
    /// <returns>The errors of the first consumer and the verdict on both.</returns>
    public static async Task<(IReadOnlyList<string> Errors, Verdict Verdict)> StopAndHealAsync(
        RecordedServices services,
        Func<StrategyContext, IProcessingStrategy> strategy,
        int batch
    )
    {
        using var first = new RealPump(services.Start(), strategy);
        await first.RunAsync(batch);
        services.Effects = _ => Effect.None;
        await FinishAsync(services, batch);
        return ([.. first.Errors], services.Judge());
    }

    /// <summary>
    /// A new process reads the remaining events to the end. A checkpoint of an earlier owner in flight may be stored after it began. Then the fence
    /// stops it, and another takes its place.
    /// </summary>
    public static async Task FinishAsync(RecordedServices services, int batch)
    {
        for (var takeOvers = 0; takeOvers < 5; takeOvers++)
        {
            using var next = new RealPump(services.Start(), StrategyCatalog.Find("combined").Create);
            await next.RunAsync(batch);
            Assert.Empty(next.Errors);
            if (!next.Ownership.IsLost)
            {
                return;
            }
        }

        Assert.Fail("nobody could finish");
    }

    public static string[] GetCharges(Verdict verdict) => [.. verdict.Charges.Select(charge => charge.Field)];
}
