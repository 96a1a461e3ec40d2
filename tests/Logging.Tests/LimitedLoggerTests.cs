using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit;

namespace EventHubThroughput.Logging.Tests;

public sealed class LimitedLoggerTests : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly VirtualClock clock = new();
    private readonly LogRecorder written = new();
    private readonly LimitedLoggerFactory factory;
    private readonly ILogger log;

    public LimitedLoggerTests()
    {
        factory = new LimitedLoggerFactory(written, clock, Period);
        log = factory.CreateLogger("category");
    }

    public void Dispose()
    {
        factory.Dispose();
        written.Dispose();
    }

    private string[] Messages => [.. written.Lines.Select(static line => line.Message)];

    [Fact]
    public void A_single_line_is_written_immediately_and_unchanged()
    {
        var cause = new InvalidOperationException("cause");
        TestLog.Lost(log, "hub", 1, cause);

        var line = Assert.Single(written.Lines);
        Assert.Equal(("category", LogLevel.Warning, 1, "hub lost (1)"), (line.Category, line.Level, line.EventId.Id, line.Message));
        Assert.Same(cause, line.Exception);
        clock.Advance(10 * Period);
        Assert.Single(written.Lines);
    }

    [Fact]
    public void Repeated_lines_are_written_as_the_first_and_the_newest_of_a_period_with_the_number_of_the_others()
    {
        var newest = new InvalidOperationException("newest");
        for (var i = 1; i <= 5; i++)
        {
            TestLog.Lost(log, "hub", i, i == 5 ? newest : null);
            clock.Advance(Second);
        }

        Assert.Equal(["hub lost (1)"], Messages);
        clock.Advance(Period);
        Assert.Equal(["hub lost (1)", "hub lost (5) (3 more like it in 10 s left out)"], Messages);
        Assert.Equal((LogLevel.Warning, 1), (written.Lines[1].Level, written.Lines[1].EventId.Id));
        Assert.Same(newest, written.Lines[1].Exception);
    }

    [Fact]
    public void A_single_repetition_is_written_at_the_end_of_the_period_without_a_count()
    {
        TestLog.Lost(log, "hub", 1, null);
        TestLog.Lost(log, "hub", 2, null);
        clock.Advance(Period);
        Assert.Equal(["hub lost (1)", "hub lost (2)"], Messages);
    }

    [Fact]
    public void A_line_that_repeats_all_the_time_is_written_once_a_period()
    {
        for (var i = 0; i < 1000; i++)
        {
            TestLog.Lost(log, "hub", i, null);
            clock.Advance(Second / 10);
        }

        clock.Advance(Period);
        Assert.Equal(1 + 10, written.Lines.Count);
        Assert.Equal("hub lost (99) (98 more like it in 10 s left out)", Messages[1]);
    }

    [Fact]
    public void The_next_line_after_a_period_of_silence_is_written_immediately()
    {
        TestLog.Lost(log, "hub", 1, null);
        clock.Advance(Period);
        TestLog.Lost(log, "hub", 2, null);
        Assert.Equal(["hub lost (1)", "hub lost (2)"], Messages);
    }

    [Fact]
    public void A_line_of_another_subject_kind_or_category_is_not_a_repetition()
    {
        TestLog.Lost(log, "hub", 1, null);
        TestLog.Lost(log, "queue", 1, null);
        TestLog.Found(log, "hub");
        TestLog.Lost(factory.CreateLogger("other"), "hub", 1, null);
        Assert.Equal(4, written.Lines.Count);
    }

    [Fact]
    public void Loggers_of_one_category_share_the_limit()
    {
        TestLog.Lost(log, "hub", 1, null);
        TestLog.Lost(factory.CreateLogger("category"), "hub", 2, null);
        Assert.Single(written.Lines);
    }

    [Fact]
    public void Lines_below_information_are_all_written()
    {
        for (var i = 0; i < 50; i++)
        {
            TestLog.Detail(log, "hub");
        }

        Assert.Equal(50, written.Lines.Count);
    }

    [Fact]
    public void A_level_that_is_off_is_not_counted()
    {
        using var warnings = new LogRecorder(LogLevel.Warning);
        using var limited = new LimitedLoggerFactory(warnings, clock, Period);
        var quiet = limited.CreateLogger("category");
        TestLog.Found(quiet, "hub");
        TestLog.Found(quiet, "hub");
        clock.Advance(Period);
        Assert.Empty(warnings.Lines);
        Assert.False(quiet.IsEnabled(LogLevel.Information));
    }

    [Fact]
    public void The_end_writes_what_was_held_back_and_lets_later_lines_pass()
    {
        TestLog.Lost(log, "hub", 1, null);
        TestLog.Lost(log, "hub", 2, null);
        TestLog.Lost(log, "hub", 3, null);
        factory.Dispose();
        Assert.Equal(["hub lost (1)", "hub lost (3) (1 more like it in 10 s left out)"], Messages);

        TestLog.Lost(log, "hub", 4, null);
        TestLog.Lost(log, "hub", 5, null);
        Assert.Equal(4, written.Lines.Count);
        Assert.Equal(0, clock.PendingTimers);
    }

    [Fact]
    public void Subjects_beyond_the_limit_count_as_one()
    {
        for (var i = 0; i < RepeatLimit.MostSubjects + 500; i++)
        {
            TestLog.Lost(log, $"peer {i}", i, null);
        }

        Assert.Equal(RepeatLimit.MostSubjects + 1, written.Lines.Count);
        clock.Advance(Period);
        Assert.Equal(RepeatLimit.MostSubjects + 2, written.Lines.Count);
        Assert.EndsWith("(498 more like it in 10 s left out)", Messages[^1], StringComparison.Ordinal);

        clock.Advance(2 * Period);
        TestLog.Lost(log, "late peer", 0, null);
        Assert.Equal("late peer lost (0)", Messages[^1]);
    }

    [Fact]
    public void No_timer_is_left_when_there_is_nothing_to_wait_for()
    {
        TestLog.Lost(log, "hub", 1, null);
        Assert.Equal(1, clock.PendingTimers);
        clock.Advance(Period);
        Assert.Equal(0, clock.PendingTimers);
    }

    [Fact]
    public void A_factory_is_limited_once_and_none_writes_nothing()
    {
        Assert.Same(factory, LimitedLoggerFactory.Over(factory, clock));
        Assert.Same(NullLoggerFactory.Instance, LimitedLoggerFactory.Over(null, clock));
        using var limited = LimitedLoggerFactory.Over(written, clock);
        Assert.IsType<LimitedLoggerFactory>(limited);
    }

    [Fact]
    public async Task Lines_that_are_left_out_are_counted_for_all_threads()
    {
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 1000),
            TestContext.Current.CancellationToken,
            (i, _) =>
            {
                TestLog.Lost(log, "hub", i, null);
                return ValueTask.CompletedTask;
            }
        );
        clock.Advance(Period);
        Assert.Equal(2, written.Lines.Count);
        Assert.EndsWith("(998 more like it in 10 s left out)", Messages[1], StringComparison.Ordinal);
    }
}
