using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

/// <summary>A peer sees the requested delay, without the cost of waking up and answering.</summary>
public sealed class LeadTests
{
    private const int Operations = 1_000;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(nameof(EmulatedOperation.BlobWrite), 0.3, 0.2)]
    [InlineData(nameof(EmulatedOperation.CheckpointWrite), 0.1, 1.2)]
    [InlineData(nameof(EmulatedOperation.MessageSend), 0, 0)]
    public void An_answer_leaves_when_the_time_is_over_with_the_work_of_it_inside(string name, double late, double work) =>
        VirtualTimeRunner.Run(async clock =>
        {
            var operation = LatencyProfile.Operations.Single(one => one.ToString() == name);
            var faultInjection = new LatencyInjection(LatencyProfiles.ArticleConstant, 1, new LateDeadlines(clock, TimeSpan.FromMilliseconds(late)));
            var link = faultInjection.CreateLatency();
            var learned = TimeSpan.Zero;
            for (var i = 0; i < Operations; i++)
            {
                learned = i == Operations / 2 ? clock.Elapsed : learned;
                var arrivedAt = link.Now;
                await clock.DelayAsync(TimeSpan.FromMilliseconds(work / 2), Cancellation);
                var admission = await link.ApplyAsync(operation, Load.One, arrivedAt, Cancellation);
                await clock.DelayAsync(TimeSpan.FromMilliseconds(work / 2), Cancellation);
                admission.Answered();
            }

            var mean = (clock.Elapsed - learned).TotalMilliseconds / (Operations - (Operations / 2));
            Assert.Equal(faultInjection.Profile.Of(operation).TotalMeanMilliseconds, mean, 0.02);
            Assert.Equal(Operations, Assert.Single(faultInjection.Observed).Count);
        });

    [Fact]
    public void A_stall_does_not_make_what_follows_early() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.ArticleConstant, 1, new VirtualDeadlines(clock));
            var link = faultInjection.CreateLatency();
            var stalled = await link.ApplyAsync(EmulatedOperation.BlobWrite, Load.One, link.Now, Cancellation);
            await clock.DelayAsync(TimeSpan.FromSeconds(10), Cancellation);
            stalled.Answered();

            var before = clock.Elapsed;
            (await link.ApplyAsync(EmulatedOperation.BlobWrite, Load.One, link.Now, Cancellation)).Answered();

            var took = (clock.Elapsed - before).TotalMilliseconds;
            Assert.InRange(faultInjection.Profile.BlobWrite.TotalMeanMilliseconds - took, 0, 0.3);
        });

    [Fact]
    public void An_operation_that_was_looked_at_late_does_not_end_later() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.ArticleConstant, 1, new VirtualDeadlines(clock));
            var link = faultInjection.CreateLatency();
            await clock.DelayAsync(TimeSpan.FromSeconds(1), Cancellation);
            var before = clock.Elapsed;
            (await link.ApplyAsync(EmulatedOperation.BlobWrite, Load.One, link.Before(TimeSpan.FromMilliseconds(4), wakes: 0), Cancellation)).Answered();
            Assert.Equal(faultInjection.Profile.BlobWrite.TotalMeanMilliseconds - 4, (clock.Elapsed - before).TotalMilliseconds, 0.001);
        });

    [Fact]
    public void Threads_that_were_woken_for_a_request_are_inside_its_time() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var deadlines = new VirtualDeadlines(clock) { Wake = TimeSpan.FromMilliseconds(0.05) };
            var faultInjection = new LatencyInjection(LatencyProfiles.ArticleConstant, 1, deadlines);
            var link = faultInjection.CreateLatency();
            await clock.DelayAsync(TimeSpan.FromSeconds(1), Cancellation);
            var sent = clock.Elapsed;
            await clock.DelayAsync(ILatency.WakesOfRead * deadlines.Wake, Cancellation);
            var arrivedAt = link.Before(TimeSpan.Zero, ILatency.WakesOfRead);
            (await link.ApplyAsync(EmulatedOperation.BlobWrite, Load.One, arrivedAt, Cancellation)).Answered();
            Assert.Equal(faultInjection.Profile.BlobWrite.TotalMeanMilliseconds, (clock.Elapsed - sent).TotalMilliseconds, 0.001);
        });

    [Fact]
    public void An_operation_without_an_answer_is_not_counted() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.ArticleConstant, 1, new VirtualDeadlines(clock));
            var link = faultInjection.CreateLatency();
            await link.ApplyAsync(EmulatedOperation.BlobWrite, Load.One, link.Now, Cancellation);

            Assert.Empty(faultInjection.Observed);
        });

    private sealed class LateDeadlines(VirtualClock clock, TimeSpan late) : IDeadlines
    {
        private readonly VirtualDeadlines _exact = new(clock);

        public TimeProvider Clock => _exact.Clock;

        public TimeSpan Wake => _exact.Wake;

        public async ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken)
        {
            await _exact.UntilAsync(timestamp, cancellationToken);
            await clock.DelayAsync(late, cancellationToken);
        }
    }
}
