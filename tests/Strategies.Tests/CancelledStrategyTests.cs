using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>A batch whose hand-over is cancelled.</summary>
public sealed class CancelledStrategyTests
{
    public static TheoryData<string> Names => [.. StrategyCatalog.Safe.Select(strategy => strategy.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_cancelled_batch_is_refused_and_nothing_of_it_is_written(string name) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var log = new List<Write>();
            var descriptor = StrategyCatalog.Find(name);
            var context = new StrategyContext
            {
                MaxConcurrency = 4,
                Sinks = [RecordingSink.Taking(clock, "a", TimeSpan.FromMilliseconds(10), log)],
                TimeProvider = clock,
                Options = StrategyOptionValues.Of(descriptor.Options),
                Lifetime = TestContext.Current.CancellationToken,
                ReportFailure = failure => Assert.Fail(failure.Message),
            };
            await using var strategy = descriptor.Create(context);
            await strategy.DispatchAsync(Some.Batch(2).Events, TestContext.Current.CancellationToken);

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                strategy.DispatchAsync(Some.Batch(2, first: 2).Events, new CancellationToken(canceled: true)).AsTask()
            );
            await strategy.DrainAsync(TestContext.Current.CancellationToken);

            Assert.Equal([0L, 1], log.Select(write => write.Sequence).Order());
        });
}
