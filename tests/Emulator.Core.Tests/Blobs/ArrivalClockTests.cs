using System.IO.Pipelines;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The time of arrival of a request is when its bytes were read, however late they are processed.</summary>
public sealed class ArrivalClockTests
{
    private readonly Pipe _bytes = new();
    private readonly ArrivalClock _clock;
    private long _now = 1;

    public ArrivalClockTests() => _clock = new ArrivalClock(_bytes.Reader, () => _now);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Bytes_that_are_waited_for_have_the_time_of_their_coming()
    {
        var read = _clock.ReadAsync(Cancellation);
        _now = 2;
        await _bytes.Writer.WriteAsync("PUT"u8.ToArray(), Cancellation);
        var result = await read;
        _now = 3;
        Assert.Equal((2, 3), (_clock.CameAt, result.Buffer.Length));
    }

    [Fact]
    public async Task Bytes_that_are_there_have_the_time_at_which_they_are_read()
    {
        await _bytes.Writer.WriteAsync("PUT /"u8.ToArray(), Cancellation);
        _now = 5;
        var first = await _clock.ReadAsync(Cancellation);
        _clock.AdvanceTo(first.Buffer.GetPosition(3));
        Assert.Equal(5, _clock.CameAt);

        _now = 6;
        Assert.True(_clock.TryRead(out var second));
        _clock.AdvanceTo(second.Buffer.End);
        Assert.Equal((6, 2), (_clock.CameAt, second.Buffer.Length));

        _now = 7;
        Assert.False(_clock.TryRead(out _));
        Assert.Equal(6, _clock.CameAt);
    }

    [Fact]
    public async Task A_failure_of_the_inner_reader_is_passed_on()
    {
        var read = _clock.ReadAsync(Cancellation);
        await _bytes.Writer.CompleteAsync(new IOException("reset"));
        Assert.Equal("reset", (await Assert.ThrowsAsync<IOException>(async () => await read)).Message);
        await _clock.CompleteAsync();
    }

    [Fact]
    public async Task A_wait_can_be_cancelled()
    {
        var read = _clock.ReadAsync(Cancellation);
        _clock.CancelPendingRead();
        Assert.True((await read).IsCanceled);
    }
}
