using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

public sealed class FaultEngineTests
{
    private static readonly FaultTarget Target = new(FaultTarget.ServiceBus, "queue");

    private readonly VirtualClock _clock = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static FaultRule Refusal =>
        new()
        {
            Name = "own",
            Points = [FaultPoint.MessageSend],
            Action = FaultAction.Refuse,
        };

    [Fact]
    public void With_nothing_armed_nothing_is_waited_for()
    {
        var engine = Engine();
        Assert.True(engine.HasNoFaults);
        Assert.True(engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation).AsTask().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Strikes_every_nth_from_one_on_and_so_often()
    {
        var engine = Engine(Refusal with { Every = 3, Limit = 2 });
        Assert.Equal([3, 6], await StruckAsync(engine, 20));
        Assert.Equal((20, 2), engine.Armed[0].Counts);
        Assert.Equal([5], await StruckAsync(Engine(Refusal with { Nth = 5 }), 20));
    }

    [Fact]
    public async Task Strikes_within_its_time_only_counted_from_its_arming()
    {
        _clock.Advance(TimeSpan.FromHours(1));
        var engine = Engine(Refusal with { FromSeconds = 2, ToSeconds = 4 });
        List<bool> struck = [];
        for (var second = 0; second < 6; second++)
        {
            struck.Add(await engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation) is not null);
            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal([false, false, true, true, false, false], struck);
    }

    [Fact]
    public async Task Strikes_a_message_alone_or_in_a_batch_and_no_other_one()
    {
        var engine = Engine(Refusal with { Detail = "b" });

        Assert.Equal([false, true, true, false], await StruckAsync(engine, Of("a"), Of("b"), Of("a", "b"), Of("a", "c")));
    }

    [Fact]
    public async Task A_rule_that_stays_with_its_message_applies_to_it_again()
    {
        var engine = Engine(Refusal with { Nth = 4, StaysWithDetail = true });

        Assert.Equal([false, true, true, false, true], await StruckAsync(engine, Of("a", "b"), Of("c", "d"), Of("d"), Of("c"), Of("e", "d")));
    }

    [Fact]
    public async Task Counts_each_message_of_a_batch()
    {
        var engine = Engine(Refusal with { Every = 3 });

        Assert.Equal([false, true, false, true], await StruckAsync(engine, Of("a", "b"), Of("c", "d"), Of("e"), Of("f", "g", "h")));
        Assert.Equal((8, 2), engine.Armed[0].Counts);
    }

    [Fact]
    public async Task A_rule_applies_only_to_its_target()
    {
        var engine = Engine(
            Refusal with
            {
                Service = FaultTarget.EventHubs,
                Entity = "HUB",
                Partition = "1",
                Group = "g",
                Points = [FaultPoint.EventSend, FaultPoint.EventDeliver],
            }
        );
        var hit = new FaultTarget(FaultTarget.EventHubs, "hub", "1", "g");
        Assert.NotNull(await engine.TryInjectAsync(FaultPoint.EventDeliver, hit, Cancellation));
        Assert.Null(await engine.TryInjectAsync(FaultPoint.MessageSend, hit, Cancellation));
        Assert.Null(await engine.TryInjectAsync(FaultPoint.EventSend, hit with { Partition = "2" }, Cancellation));
        Assert.Null(await engine.TryInjectAsync(FaultPoint.EventSend, hit with { Entity = "other" }, Cancellation));
        Assert.Null(await engine.TryInjectAsync(FaultPoint.EventSend, hit with { Service = FaultTarget.ServiceBus }, Cancellation));
        Assert.Equal(1, engine.Armed[0].Counts.Matched);
    }

    [Fact]
    public async Task The_same_seed_selects_the_same_operations_beside_any_other_armed_rules()
    {
        var rule = Refusal with { Probability = 0.1 };
        var alone = await StruckAsync(Engine(rule), 2_000);
        var other = Refusal with { Name = "other", Points = [FaultPoint.EventSend], Probability = 0.5 };
        var engine = Engine(other, rule);
        List<int> beside = [];
        for (var i = 1; i <= 2_000; i++)
        {
            await engine.TryInjectAsync(FaultPoint.EventSend, Target, Cancellation);
            if (await engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation) is not null)
            {
                beside.Add(i);
            }
        }

        Assert.Equal(alone, beside);
        Assert.InRange(alone.Count, 200 - 41, 200 + 41);
        Assert.NotEqual(alone, await StruckAsync(new FaultEngine(null, new VirtualDeadlines(_clock), 2).WithArmed(rule), 2_000));
    }

    [Theory]
    [InlineData(0.0001)]
    [InlineData(0.01)]
    [InlineData(0.5)]
    public async Task Strikes_with_the_probability_that_was_asked_for(double probability)
    {
        const int Trials = 100_000;
        var struck = await StruckAsync(Engine(Refusal with { Probability = probability }), Trials);
        var deviation = Math.Sqrt(Trials * probability * (1 - probability));
        Assert.InRange(struck.Count, (Trials * probability) - (4 * deviation), (Trials * probability) + (4 * deviation));
    }

    [Fact]
    public void A_delay_is_over_before_the_next_rule_is_asked() =>
        VirtualTimeRunner.Run(async clock =>
        {
            var engine = new FaultEngine(null, new VirtualDeadlines(clock), 1).WithArmed(
                Refusal with
                {
                    Action = FaultAction.Delay,
                    Milliseconds = 30,
                },
                Refusal
            );
            Assert.Equal(FaultAction.Refuse, (await engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation))?.Action);
            Assert.Equal(30, clock.Elapsed.TotalMilliseconds, 0.001);
        });

    [Fact]
    public async Task A_fault_is_recorded_before_it_applies_and_does_not_apply_without_a_record()
    {
        var path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");
        var writer = JournalWriter.Open(path, _clock);
        var engine = new FaultEngine(writer, new VirtualDeadlines(_clock), 1).WithArmed(Refusal with { Name = "F12" });
        await engine.TryInjectAsync(FaultPoint.MessageSend, Target with { Detail = "m1" }, Cancellation);
        Assert.Equal(new FaultInjected("F12", "messageSend", "refuse", "queue/m1") { Tick = 1 }, Assert.Single(JournalReader.Read(path)));
        await writer.DisposeAsync();
        await Assert.ThrowsAsync<IOException>(() => engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation).AsTask());
        File.Delete(path);
    }

    [Fact]
    public void Is_disarmed_by_name_by_number_or_as_a_whole()
    {
        var engine = Engine(Refusal with { Name = "a" }, Refusal with { Name = "b" }, Refusal with { Name = "a" }, Refusal with { Name = "c" });
        Assert.Equal(2, engine.Disarm("a"));
        Assert.Equal(1, engine.Disarm("2"));
        Assert.Equal("c", Assert.Single(engine.Armed).Rule.Name);
        Assert.Equal(0, engine.Disarm("a"));
        Assert.Equal(1, engine.Disarm(null));
        Assert.True(engine.HasNoFaults);
    }

    [Fact]
    public void The_clock_of_blobs_is_wrong_while_the_rule_is_in_force()
    {
        var engine = Engine(FaultCatalogue.Named("F28") with { ToSeconds = 10 }, FaultCatalogue.Named("F28-behind") with { FromSeconds = 5 });
        var clock = new SkewedClock(_clock, engine);
        var start = _clock.GetUtcNow();
        Assert.Equal(start.AddSeconds(30), clock.GetUtcNow());
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(start.AddSeconds(5), clock.GetUtcNow());
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(start.AddSeconds(-20), clock.GetUtcNow());
        Assert.Equal(_clock.GetTimestamp(), clock.GetTimestamp());
    }

    [Fact]
    public void A_skewed_clock_is_recorded_once_by_whomever_it_is_read()
    {
        var path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");
        using (var writer = JournalWriter.Open(path, _clock))
        {
            var engine = new FaultEngine(writer, new VirtualDeadlines(_clock), 1).WithArmed(FaultCatalogue.Named("F28"));
            Parallel.For(0, 100, _ => Assert.Equal(TimeSpan.FromSeconds(30), engine.Skew()));
            Assert.Equal((1, 1), engine.Armed[0].Counts);
            Assert.IsType<FaultInjected>(Assert.Single(JournalReader.Read(path)));
        }

        File.Delete(path);
    }

    [Fact]
    public void A_skew_that_cannot_be_recorded_leaves_the_clock_right()
    {
        var path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");
        var writer = JournalWriter.Open(path, _clock);
        writer.Dispose();
        var engine = new FaultEngine(writer, new VirtualDeadlines(_clock), 1).WithArmed(FaultCatalogue.Named("F28"));
        Assert.Equal(_clock.GetUtcNow(), new SkewedClock(_clock, engine).GetUtcNow());
        Assert.Equal((0, 0), engine.Armed[0].Counts);
        File.Delete(path);
    }

    [Fact]
    public async Task Rules_of_one_name_draw_apart()
    {
        var rule = Refusal with { Probability = 0.5 };
        var engine = Engine(rule with { Points = [FaultPoint.EventSend] }, rule);
        List<int> first = [];
        for (var i = 1; i <= 1_000; i++)
        {
            if (await engine.TryInjectAsync(FaultPoint.EventSend, Target, Cancellation) is not null)
            {
                first.Add(i);
            }
        }

        var both = first.Intersect(await StruckAsync(engine, 1_000)).Count();
        Assert.InRange(both, 250 - 60, 250 + 60);
    }

    private FaultEngine Engine(params FaultRule[] rules) => new FaultEngine(null, new VirtualDeadlines(_clock), 1).WithArmed(rules);

    private static async Task<List<bool>> StruckAsync(FaultEngine engine, params FaultTarget[] targets)
    {
        List<bool> struck = [];
        foreach (var target in targets)
        {
            struck.Add(await engine.TryInjectAsync(FaultPoint.MessageSend, target, Cancellation) is not null);
        }

        return struck;
    }

    private static FaultTarget Of(params string[] ids) => Target with { Detail = ids[0], Batch = ids.Length > 1 ? ids : null };

    private static async Task<List<int>> StruckAsync(FaultEngine engine, int operations)
    {
        List<int> struck = [];
        for (var i = 1; i <= operations; i++)
        {
            if (await engine.TryInjectAsync(FaultPoint.MessageSend, Target, Cancellation) is not null)
            {
                struck.Add(i);
            }
        }

        return struck;
    }
}

internal static class FaultEngineExtensions
{
    public static FaultEngine WithArmed(this FaultEngine engine, params FaultRule[] rules)
    {
        engine.Arm(rules);
        return engine;
    }
}
