using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Running;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Testing;
using Spectre.Console;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Running;

public sealed class ProgressViewTests : IDisposable
{
    private readonly VirtualClock clock = new();
    private readonly RunMeasurement measurement;
    private readonly Lines error = new();
    private (long, long)? load;

    public ProgressViewTests() => measurement = new RunMeasurement(clock, emulator: null, TwoSinks.Stages);

    [Fact]
    public async Task Shows_the_rate_of_the_headline_and_none_while_warming_up()
    {
        var lines = await ShowAsync(() => Batch(10), () => Batch(30), () => Batch(20));

        Assert.Equal(
            [
                "outloop: 10 of 100 events in 2 s, warming up (model 111 events/s)",
                "outloop: 40 of 100 events in 4 s, 15.0 events/s (model 111 events/s)",
                "outloop: 60 of 100 events in 6 s, 11.7 events/s (model 111 events/s)",
            ],
            lines
        );
        Assert.Equal(17.5, measurement.Finish().EventsPerSecond);
    }

    [Fact]
    public async Task Keeps_the_rate_of_the_time_before_a_partition_ran_dry()
    {
        var lines = await ShowAsync(() => Batch(10), () => Batch(30), measurement.PartitionRanDry, () => Batch(20));

        Assert.Equal("outloop: 60 of 100 events in 8 s, 15.0 events/s until a partition was empty (model 111 events/s)", lines[3]);
    }

    [Fact]
    public async Task Counts_no_time_that_is_not_that_of_the_events()
    {
        var lines = await ShowAsync(() => Batch(100), measurement.Ending, () => { });

        Assert.Equal("outloop: 100 of 100 events in 1 s, ending", lines[1]);
        Assert.Equal(lines[1], lines[2]);
    }

    [Fact]
    public async Task Progress_adds_the_events_in_flight_where_they_are_counted()
    {
        load = (16, 60);
        measurement.ProcessorTimes.Add(TimeSpan.Zero);
        clock.Advance(TimeSpan.FromSeconds(2));
        measurement.ProcessorTimes.Add(TimeSpan.FromSeconds(0.5));

        var lines = await ShowAsync(() => Batch(10), () => Batch(30));

        Assert.EndsWith("15.0 events/s (model 111 events/s), 16 in flight, lag 60, CPU 25 % of a core", lines[1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(79)]
    [InlineData(159)]
    public async Task A_frame_has_bar_rest_rate_and_load_in_the_width_that_there_is(int columns)
    {
        load = (16, 60);
        measurement.WarmUpFor(batch: 10, backlog: 100);
        Batch(10);
        Batch(30);
        clock.Advance(TimeSpan.FromSeconds(1));

        var lines = await LinesAsync(Subject() with { Setting = "  degree 16, batch 10" }, columns);

        Assert.All(lines, line => Assert.InRange(line.Length, 0, columns));
        Assert.Equal("outloop  degree 16, batch 10", lines[0]);
        Assert.Equal(columns, lines[1].Length);
        Assert.EndsWith("   40% 40 of 100 events in 3 s, 4 s left", lines[1], StringComparison.Ordinal);
        Assert.Equal("15.0 events/s   14 % of the model's 111   16 in flight   lag 60", lines[2]);
        Assert.Equal(columns > 100, lines[3].Contains("p99.9 ms", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.TrimStart().StartsWith("servicebus", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_narrow_terminal_shows_fewer_columns_and_breaks_no_row()
    {
        Batch(10);

        var lines = await LinesAsync(Subject(), 50);

        Assert.All(lines, static line => Assert.InRange(line.Length, 0, 50));
        Assert.Contains("  stage       count    mean ms     p50 ms", lines);
        Assert.Equal(4 + measurement.Section.Stages.All.Count(static stage => stage != Stage.Window && stage != Stage.EndToEnd), lines.Count);
    }

    [Fact]
    public async Task A_run_by_the_clock_is_as_far_as_its_time()
    {
        Batch(10);
        clock.Advance(TimeSpan.FromSeconds(2));

        var lines = await LinesAsync(Subject() with { Length = TimeSpan.FromSeconds(12) }, 80);

        Assert.EndsWith(" 25% 10 of 100 events in 3 s, 9 s left", lines[1], StringComparison.Ordinal);
    }

    public void Dispose()
    {
        measurement.Dispose();
        error.Dispose();
    }

    private async Task<List<string>> LinesAsync(ProgressSubject subject, int columns)
    {
        using var sent = new StringWriter { NewLine = "\n" };
        using var terminal = new LiveConsole(sent, () => (columns + 1, 24), ColorSystemSupport.NoColors);
        List<string> lines = [];
        await terminal.ShowAsync(draw =>
        {
            draw(new ProgressFrame(subject, measurement).For(terminal.Columns));
            lines = TerminalScreen.GetLines(sent.ToString());
            return Task.CompletedTask;
        });
        return lines;
    }

    // After each step a second passes, and a line is written.
    private async Task<string[]> ShowAsync(params Action[] steps)
    {
        measurement.WarmUpFor(batch: 10, backlog: 100);
        using var ended = new CancellationTokenSource();
        var view = new ProgressView(Subject(), measurement, error, clock);
        var showing = view.RunAsync(ended.Token);
        foreach (var step in steps)
        {
            var written = error.NextLine;
            step();
            clock.Advance(clock.Elapsed.Ticks % TimeSpan.FromSeconds(2).Ticks == 0 ? TimeSpan.FromSeconds(2) : TimeSpan.FromSeconds(1));
            await written.WaitAsync(TestContext.Current.CancellationToken);
        }

        await ended.CancelAsync();
        await showing;
        return error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private ProgressSubject Subject() => new("outloop", 100, 111) { Load = load is { } known ? () => known : null };

    private void Batch(int events)
    {
        measurement.BatchReceived(events);
        clock.Advance(TimeSpan.FromSeconds(1));
        for (var i = 0; i < events; i++)
        {
            measurement.EventCompleted(TimeSpan.Zero);
        }
    }

    private sealed class Lines : StringWriter
    {
        private TaskCompletionSource next = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task NextLine => next.Task;

        public override Task WriteLineAsync(string? value)
        {
            WriteLine(value);
            var written = next;
            next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            written.SetResult();
            return Task.CompletedTask;
        }
    }
}
