using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

/// <summary>Quotas, places and paces on a clock that only the test moves: the counts are exact.</summary>
public sealed class QuotaTests
{
    private readonly VirtualClock _clock = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_burst_is_accepted_immediately_and_then_the_quota_limits_the_rate()
    {
        var faultInjection = FaultInjection(
            LatencyProfiles.None with
            {
                ServiceBusQuota = new RateQuota
                {
                    OperationsPerSecond = 1_000,
                    BurstSeconds = 1,
                    AdviseSeconds = 2,
                },
            }
        );
        ILatency[] links = [faultInjection.CreateLatency(), faultInjection.CreateLatency()];

        // One namespace, however many links.
        Assert.Equal(1_000, await AdmittedAsync(3_000, EmulatedOperation.MessageSend, links));
        _clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(10, await AdmittedAsync(100, EmulatedOperation.MessageSend, links));
        _clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(1_000, await AdmittedAsync(3_000, EmulatedOperation.MessageSend, links));

        var busy = await links[0].ApplyAsync(EmulatedOperation.MessageSend, Cancellation);
        Assert.Equal(TimeSpan.FromSeconds(2), busy.BusyFor);
        Assert.Equal(2_000 + 90 + 2_000 + 1, Assert.Single(faultInjection.Observed).Throttles);
    }

    [Fact]
    public async Task A_throughput_unit_takes_a_thousand_events_or_a_mebibyte_a_second()
    {
        var faultInjection = FaultInjection(LatencyProfiles.AzureStandard);
        var link = faultInjection.CreateLatency();
        Assert.Null((await link.ApplyAsync(EmulatedOperation.EventSend, new Load(999, 999), link.Now, Cancellation)).BusyFor);
        Assert.NotNull((await link.ApplyAsync(EmulatedOperation.EventSend, new Load(2, 2), link.Now, Cancellation)).BusyFor);
        Assert.Null((await link.ApplyAsync(EmulatedOperation.EventSend, new Load(1, 1), link.Now, Cancellation)).BusyFor);

        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Null((await link.ApplyAsync(EmulatedOperation.EventSend, new Load(1, 1_048_576), link.Now, Cancellation)).BusyFor);
        Assert.Equal(TimeSpan.FromSeconds(4), (await link.ApplyAsync(EmulatedOperation.EventSend, new Load(1, 1), link.Now, Cancellation)).BusyFor);
    }

    [Fact]
    public async Task A_batch_larger_than_the_burst_is_let_in_and_paid_for_afterwards()
    {
        var faultInjection = FaultInjection(
            LatencyProfiles.None with
            {
                EventHubsQuota = new RateQuota { EventsPerSecond = 100, BurstSeconds = 1 },
            }
        );
        var link = faultInjection.CreateLatency();
        Assert.Null((await link.ApplyAsync(EmulatedOperation.EventSend, new Load(300, 0), link.Now, Cancellation)).BusyFor);
        _clock.Advance(TimeSpan.FromMilliseconds(2_009));
        Assert.NotNull((await link.ApplyAsync(EmulatedOperation.EventSend, Cancellation)).BusyFor);
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Null((await link.ApplyAsync(EmulatedOperation.EventSend, Cancellation)).BusyFor);
    }

    [Fact]
    public void Never_admits_more_than_burst_and_rate_allow() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                ArbMap.Default.ArbFor<PositiveInt>(),
                Gen.ListOf(Gen.Choose(0, 50)).ToArbitrary(),
                (seed, pauses) =>
                {
                    var meter = new QuotaMeter(new RateQuota { EventsPerSecond = 100, BurstSeconds = 0.5 }, 1_000);
                    var random = new Random(seed.Get);
                    long now = 0;
                    long admitted = 0;
                    foreach (var pause in pauses)
                    {
                        now += pause;
                        var count = random.Next(1, 20);
                        admitted += meter.TryTake(now, new Load(count, 0)) ? count : 0;
                        Assert.InRange(admitted, 0, 50 + (now / 10));
                    }
                }
            )
        );

    [Theory]
    [InlineData(8, 8, 10)]
    [InlineData(8, 9, 20)]
    [InlineData(8, 17, 30)]
    [InlineData(40, 400, 100)]
    [InlineData(150, 149, 10)]
    public void A_knee_serves_its_number_of_operations_concurrently_and_queues_the_rest(int places, int sends, double expected)
    {
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.Named($"knee-{places}"), 1, new VirtualDeadlines(clock));
            var links = Enumerable.Range(0, 3).Select(_ => faultInjection.CreateLatency()).ToArray();
            await Task.WhenAll(Enumerable.Range(0, sends).Select(send => links[send % 3].ApplyAsync(EmulatedOperation.MessageSend, Cancellation).AsTask()));
            Assert.Equal(10, Assert.Single(faultInjection.Observed).MeanMilliseconds, 0.001);
        });
        Assert.Equal(expected, elapsed.TotalMilliseconds, 0.001);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    public void The_quota_allows_two_hundred_operations_a_second_of_any_size(int messages)
    {
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.Ops200, 1, new VirtualDeadlines(clock));
            await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => SendAsync(faultInjection.CreateLatency(), messages)));
        });
        Assert.Equal(500, elapsed.TotalMilliseconds, 0.001);
    }

    [Theory]
    [InlineData(64, 0, 1_000, 15.625)]
    [InlineData(1, 65_536, 320, 10)]
    [InlineData(64, 2_048, 64, 1)]
    public void Reading_is_paced_by_count_and_bytes(int count, int bytes, int runs, double seconds)
    {
        var elapsed = VirtualTimeRunner.Run(async clock =>
        {
            var faultInjection = new LatencyInjection(LatencyProfiles.AzureStandard, 1, new VirtualDeadlines(clock));
            var reader = faultInjection.CreateLatency();
            for (var i = 0; i < runs; i++)
            {
                await reader.ApplyAsync(EmulatedOperation.EventDeliver, new Load(count, bytes), reader.Now, Cancellation);
            }
        });
        Assert.Equal(seconds, elapsed.TotalSeconds, 0.001);
    }

    private static async Task SendAsync(ILatency link, int messages) =>
        await link.ApplyAsync(EmulatedOperation.MessageSend, new Load(messages, messages * 1_000), link.Now, Cancellation);

    private LatencyInjection FaultInjection(LatencyProfile profile) => new(profile, 1, new VirtualDeadlines(_clock));

    private static async Task<int> AdmittedAsync(int attempts, EmulatedOperation operation, ILatency[] links)
    {
        var admitted = 0;
        for (var i = 0; i < attempts; i++)
        {
            admitted += (await links[i % links.Length].ApplyAsync(operation, Cancellation)).BusyFor is null ? 1 : 0;
        }

        return admitted;
    }
}
