using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Journalling;

public sealed class PauseDetectorTests : IDisposable
{
    private readonly string path = Path.Combine(Path.GetTempPath(), $"emulator-journal-{Guid.NewGuid():N}");
    private readonly StoppedClock clock = new();

    public void Dispose() => File.Delete(path);

    [Fact]
    public void A_process_that_was_stopped_is_recorded_when_it_continues()
    {
        var records = Watch(() =>
        {
            clock.Advance(TimeSpan.FromMinutes(1));
            clock.Stop(TimeSpan.FromSeconds(40));
            clock.Advance(TimeSpan.FromMinutes(1));
        });

        var stood = Assert.IsType<EmulatorPaused>(Assert.Single(records));
        Assert.Equal((40_250_000, 100_250_000), (stood.Stood, stood.Microseconds));
    }

    [Theory]
    [InlineData(1_000, 0)]
    [InlineData(1_001, 1)]
    public void A_timer_that_comes_at_most_a_second_late_is_the_machine_s_load(int milliseconds, int expected)
    {
        var records = Watch(() =>
        {
            clock.Stop(TimeSpan.FromMilliseconds(milliseconds));
            clock.Advance(TimeSpan.FromMilliseconds(250));
        });

        Assert.Equal(expected, records.Count);
    }

    [Fact]
    public void A_watch_that_is_disposed_records_nothing()
    {
        var records = Watch(
            static () => { },
            () =>
            {
                clock.Stop(TimeSpan.FromSeconds(40));
                clock.Advance(TimeSpan.FromMinutes(1));
            }
        );

        Assert.Empty(records);
    }

    private List<JournalRecord> Watch(Action run, Action? afterwards = null)
    {
        using (var writer = JournalWriter.Open(path, clock))
        {
            using (new PauseDetector(new EmulatorJournal(writer, []), clock))
            {
                run();
            }

            afterwards?.Invoke();
        }

        return [.. JournalReader.Read(path)];
    }

    /// <summary>A clock whose timers are paused while its time passes.</summary>
    private sealed class StoppedClock : TimeProvider
    {
        private readonly VirtualClock running = new();
        private TimeSpan stopped;

        public override long TimestampFrequency => running.TimestampFrequency;

        public override long GetTimestamp() => running.GetTimestamp() + stopped.Ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            running.CreateTimer(callback, state, dueTime, period);

        public void Advance(TimeSpan by) => running.Advance(by);

        public void Stop(TimeSpan time) => stopped += time;
    }
}
