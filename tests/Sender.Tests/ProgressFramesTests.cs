using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class ProgressFramesTests
{
    [Fact]
    public async Task A_bar_shows_the_rate_is_taken_away_at_the_end_and_hides_no_cursor()
    {
        var clock = new VirtualClock();
        using var sent = new Pieces();
        using var terminal = new LiveTerminal(sent, static () => (42, 24)) { NewLine = "\n" };
        using var ended = new CancellationTokenSource();
        var counters = new SendCounters(1_000);
        var showing = new ProgressFrames(terminal, clock).RunAsync(counters, ended.Token);
        counters.AddAcknowledged(250);
        clock.Advance(TimeSpan.FromMilliseconds(200));
        await sent.First.WaitAsync(TestContext.Current.CancellationToken);

        await ended.CancelAsync();
        await showing;

        Assert.Equal(["████░░░░░░░░░░░░   25 %  1,250.0 events/s\n", "\r\u001b[1A\u001b[J"], sent.All);
    }

    private sealed class Pieces : StringWriter
    {
        private readonly TaskCompletionSource first = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public List<string> All { get; } = [];

        public Task First => first.Task;

        public override void Write(string? value)
        {
            All.Add(value!);
            first.TrySetResult();
        }
    }
}
