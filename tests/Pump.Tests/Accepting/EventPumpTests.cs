using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Accepting;

/// <summary>What a pump promises to the client above it and to the handler below it.</summary>
public sealed class EventPumpTests
{
    private static readonly EventPumpOptions Eager = new() { CheckpointEvents = 1, Retries = 0 };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public void Full_window_makes_accepting_wait()
    {
        var accepted = new List<TimeSpan>();
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(2, Eager with { Window = 2 }, (_, token) => bench.TakesAsync(10, token));
            for (var number = 0; number < 4; number++)
            {
                await bench.AcceptAsync(pump, $"{number}");
                accepted.Add(clock.Elapsed);
            }
        });

        Assert.Equal([0, 0, 10, 10], accepted.Select(static at => at.TotalMilliseconds));
    }

    [Fact]
    public void Events_of_one_key_and_events_without_a_key_are_handled_in_order() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.ByKey(static one => one is ['-', ..] ? null : one[..1], 16, Eager, (_, token) => bench.TakesAsync(10, token));
            string[] events = ["a1", "-1", "a2", "b1", "-2", "-3"];
            foreach (var one in events)
            {
                await bench.AcceptAsync(pump, one);
            }

            await clock.DelayAsync(TimeSpan.FromMinutes(1), Cancellation);

            Assert.Equal(["-1 0", "a1 0", "b1 0"], bench.Begun.Take(3).Order(StringComparer.Ordinal));
            Assert.Equal(["-2 10", "a2 10"], bench.Begun.Skip(3).Take(2).Order(StringComparer.Ordinal));
            Assert.Equal("-3 20", bench.Begun[^1]);
        });

    [Fact]
    public void In_order_handles_one_event_at_a_time_and_accepts_others_meanwhile() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.InOrder(Eager, (_, token) => bench.TakesAsync(10, token));
            foreach (var one in Enumerable.Range(0, 64))
            {
                await bench.AcceptAsync(pump, $"{one}");
            }

            Assert.Equal(TimeSpan.Zero, clock.Elapsed);
            await bench.AcceptAsync(pump, "64");
            Assert.InRange(clock.Elapsed.TotalMilliseconds, 10, 80);

            await clock.DelayAsync(TimeSpan.FromSeconds(1), Cancellation);
            Assert.Equal(Enumerable.Range(0, 65).Select(static one => $"{one} {10 * one}"), bench.Begun);
        });

    [Fact]
    public void Empty_event_is_ignored() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(2, Eager);

            await pump.AcceptAsync("0", null, static _ => throw new InvalidOperationException("no checkpoint of nothing"), Cancellation);
            await pump.CloseAsync("0");

            Assert.Empty(bench.Begun);
        });

    [Fact]
    public void Shutdown_drains_and_stores_a_last_checkpoint() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(4, new EventPumpOptions(), (_, token) => bench.TakesAsync(10, token));
            await bench.AcceptAsync(pump, "a");
            await bench.AcceptAsync(pump, "b");
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await pump.CloseAsync("0");

            Assert.Equal(TimeSpan.FromMilliseconds(10), clock.Elapsed);
            Assert.Equal(["b"], bench.Stored);
        });

    [Fact]
    public void Lost_partition_drains_without_a_checkpoint_and_without_cutting_handlers() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(4, new EventPumpOptions(), (_, token) => bench.TakesAsync(10, token));
            await bench.AcceptAsync(pump, "a");
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await pump.CloseAsync("0", isOwned: false);

            Assert.Equal(TimeSpan.FromMilliseconds(10), clock.Elapsed);
            Assert.Equal(["a"], bench.Ended);
            Assert.Empty(bench.Stored);
            Assert.Empty(bench.Faults);
        });

    [Fact]
    public void Partition_that_starts_again_waits_for_its_last_incarnation() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(4, Eager, (_, token) => bench.TakesAsync(10, token));
            await bench.AcceptAsync(pump, "a");
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            var closing = pump.CloseAsync("0", isOwned: false);
            await bench.AcceptAsync(pump, "again");

            Assert.True(closing.IsCompleted);
            Assert.Equal(TimeSpan.FromMilliseconds(10), clock.Elapsed);
            await closing;
            await clock.DelayAsync(TimeSpan.FromMinutes(1), Cancellation);
            Assert.Equal(["again"], bench.Stored);
        });

    [Fact]
    public void Accepting_after_disposal_is_refused() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(4, Eager);
            await bench.AcceptAsync(pump, "a");
            await pump.DisposeAsync();

            await Assert.ThrowsAsync<ObjectDisposedException>(() => bench.AcceptAsync(pump, "b", Cancellation));
        });

    [Fact]
    public void Failed_checkpoint_is_reported_and_tried_again_and_the_position_waits() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock) { RefusedCheckpoints = 3 };
            var pump = bench.Unordered(1, Eager);
            await bench.AcceptAsync(pump, "a");
            await clock.DelayAsync(TimeSpan.FromMinutes(1), Cancellation);

            Assert.Equal(["a"], bench.Stored);
            Assert.Equal(3, bench.Faults.Count);
            Assert.All(bench.Faults, static fault => Assert.False(fault.EndsPump));
            Assert.All(bench.Faults, static fault => Assert.IsType<TimeoutException>(fault.Exception));
            await bench.AcceptAsync(pump, "b");
        });

    [Fact]
    public void Event_that_fails_for_good_faults_the_next_accept_with_the_exception_of_the_handler() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(4, Eager, (one, _) => one == "bad" ? throw new FormatException("no order") : ValueTask.CompletedTask);
            await bench.AcceptAsync(pump, "good");
            await bench.AcceptAsync(pump, "bad");
            await clock.DelayAsync(TimeSpan.FromSeconds(1), Cancellation);

            var thrown = await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.AcceptAsync(pump, "next", Cancellation));

            Assert.IsType<FormatException>(thrown.InnerException);
            Assert.Equal(("0", 1L), (thrown.Fault.PartitionId, thrown.Fault.SequenceNumber));
            Assert.Equal(["good"], bench.Stored);
            var reported = Assert.Single(bench.Faults);
            Assert.True(reported.EndsPump);
            Assert.IsType<FormatException>(reported.Exception);
            await pump.CloseAsync("0");
            Assert.Equal(["good"], bench.Stored);
        });

    [Fact]
    public void Failure_wakes_an_event_that_waits_for_the_window() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(
                1,
                Eager with
                {
                    Window = 1,
                },
                async (_, token) =>
                {
                    await bench.TakesAsync(10, token);
                    throw new FormatException("no order");
                }
            );
            await bench.AcceptAsync(pump, "a");

            await Assert.ThrowsAsync<ProcessingFaultException>(() => bench.AcceptAsync(pump, "b", Cancellation));

            Assert.Empty(bench.Stored);
        });

    [Fact]
    public void Dead_letter_function_gets_the_event_and_the_position_passes_it() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var letters = new List<DeadLetteredEvent>();
            var options = Eager with
            {
                OnPoison = PoisonPolicy.DeadLetter,
                DeadLetter = (letter, _) =>
                {
                    letters.Add(letter);
                    return letters.Count == 1 ? throw new TimeoutException("no store") : ValueTask.CompletedTask;
                },
            };
            var pump = bench.Unordered(1, options, (one, _) => one == "bad" ? throw new FormatException("no order") : ValueTask.CompletedTask);
            await bench.AcceptAsync(pump, "bad");
            await bench.AcceptAsync(pump, "good");
            await clock.DelayAsync(TimeSpan.FromMinutes(1), Cancellation);

            Assert.Equal(["good"], bench.Stored.TakeLast(1));
            Assert.All(letters, static letter => Assert.Equal(("0", "bad", "FormatException: no order"), (letter.PartitionId, letter.Event, letter.Reason)));
            Assert.Empty(bench.Faults);
        });

    [Fact]
    public void Event_that_was_not_accepted_holds_the_partition_until_it_is_closed() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(5), clock);
            var pump = bench.Unordered(1, Eager with { Window = 1 }, (_, token) => bench.TakesAsync(10, token));
            await bench.AcceptAsync(pump, "a");

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => bench.AcceptAsync(pump, "b", timeout.Token));
            await Assert.ThrowsAsync<InvalidOperationException>(() => bench.AcceptAsync(pump, "c", Cancellation));
            await pump.CloseAsync("0");
            await bench.AcceptAsync(pump, "b");
            await pump.CloseAsync("0");

            Assert.Equal(["a", "b"], bench.Stored);
        });

    [Theory]
    [InlineData("cancelled")]
    [InlineData("without a key")]
    public void First_event_that_was_not_accepted_holds_the_partition_too(string how) =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.ByKey(static one => one == "without a key" ? throw new FormatException() : one, 1, Eager, static (_, _) => default);

            await Assert.ThrowsAnyAsync<Exception>(() => bench.AcceptAsync(pump, how, new CancellationToken(how == "cancelled")));
            await Assert.ThrowsAsync<InvalidOperationException>(() => bench.AcceptAsync(pump, "b", Cancellation));

            await pump.CloseAsync("0");
            await bench.AcceptAsync(pump, "b");
        });

    [Fact]
    public void Close_ends_the_wait_for_the_window() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(1, Eager with { Window = 1 }, (_, token) => bench.TakesAsync(10, token));
            await bench.AcceptAsync(pump, "a");
            var waiting = bench.AcceptAsync(pump, "b");
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await pump.CloseAsync("0");

            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
            Assert.Equal(["a"], bench.Stored);
        });

    [Fact]
    public void Handler_beyond_the_drain_limit_is_cancelled_and_its_event_is_not_passed() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.Unordered(1, Eager with { DrainLimit = TimeSpan.FromSeconds(1) }, (_, token) => bench.TakesAsync(60_000, token));
            await bench.AcceptAsync(pump, "a");
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await pump.CloseAsync("0");

            Assert.Equal(1_001, clock.Elapsed.TotalMilliseconds);
            Assert.Empty(bench.Stored);
            Assert.False(Assert.Single(bench.Faults).EndsPump);
            await bench.AcceptAsync(pump, "again");
        });

    [Fact]
    public void Partitions_do_not_wait_for_each_other() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var bench = new AcceptBench(clock);
            var pump = bench.InOrder(Eager, (_, token) => bench.TakesAsync(10, token));

            await Task.WhenAll(bench.AcceptAsync(pump, "a"), pump.AcceptAsync("1", "b", static _ => Task.CompletedTask, Cancellation));
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            Assert.Equal(["a 0", "b 0"], bench.Begun.Order(StringComparer.Ordinal));
        });

    [Theory]
    [InlineData(0, "maxConcurrency")]
    [InlineData(4097, "maxConcurrency")]
    public void Concurrency_out_of_range_names_what_is_allowed(int concurrency, string name)
    {
        var thrown = Assert.Throws<ArgumentOutOfRangeException>(() => EventPump.Unordered<string>(concurrency, static (_, _) => default));

        Assert.Equal(name, thrown.ParamName);
        Assert.Contains("allowed: 1 to 4096", thrown.Message, StringComparison.Ordinal);
    }

    public static TheoryData<string, EventPumpOptions> BadOptions =>
        new()
        {
            {
                nameof(EventPumpOptions.Window),
                new EventPumpOptions { Window = 15 }
            },
            {
                nameof(EventPumpOptions.CheckpointEvents),
                new EventPumpOptions { CheckpointEvents = 0 }
            },
            {
                nameof(EventPumpOptions.CheckpointInterval),
                new EventPumpOptions { CheckpointInterval = TimeSpan.Zero }
            },
            {
                nameof(EventPumpOptions.ReplayLimit),
                new EventPumpOptions { ReplayLimit = 1_000 }
            },
            {
                nameof(EventPumpOptions.Retries),
                new EventPumpOptions { Retries = -1 }
            },
            {
                nameof(EventPumpOptions.OperationLimit),
                new EventPumpOptions { OperationLimit = TimeSpan.FromDays(2) }
            },
            {
                nameof(EventPumpOptions.DrainLimit),
                new EventPumpOptions { DrainLimit = TimeSpan.Zero }
            },
            {
                nameof(EventPumpOptions.OnPoison),
                new EventPumpOptions { OnPoison = PoisonPolicy.DeadLetter }
            },
        };

    [Theory]
    [MemberData(nameof(BadOptions))]
    public void Option_out_of_range_names_what_is_allowed(string name, EventPumpOptions options)
    {
        var thrown = Assert.Throws<ArgumentOutOfRangeException>(() => EventPump.Unordered<string>(16, static (_, _) => default, options));

        Assert.Equal(name, thrown.ParamName);
        Assert.Contains("allowed: ", thrown.Message, StringComparison.Ordinal);
    }
}
