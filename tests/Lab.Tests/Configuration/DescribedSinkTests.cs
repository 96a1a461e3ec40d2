using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Configuration;

/// <summary>Sinks that take as long as described writes.</summary>
public sealed class DescribedSinkTests
{
    private readonly VirtualClock clock = new();

    [Fact]
    public async Task A_write_ends_after_its_time()
    {
        using var sink = Create("http=40ms");
        var write = sink.WriteAsync(null!, TestContext.Current.CancellationToken).AsTask();

        clock.Advance(TimeSpan.FromMilliseconds(39));
        Assert.False(write.IsCompleted);
        clock.Advance(TimeSpan.FromMilliseconds(1));

        await write;
    }

    [Fact]
    public async Task More_writes_than_the_service_takes_wait_for_a_place()
    {
        using var sink = Create("sql=8ms:concurrency=2");
        var writes = Enumerable.Range(0, 3).Select(_ => sink.WriteAsync(null!, TestContext.Current.CancellationToken).AsTask()).ToArray();

        clock.Advance(TimeSpan.FromMilliseconds(8));
        await Task.WhenAll(writes[..2]);
        await clock.UntilTimerIsSetAsync(TestContext.Current.CancellationToken);
        Assert.False(writes[2].IsCompleted);
        clock.Advance(TimeSpan.FromMilliseconds(8));

        await writes[2];
    }

    [Fact]
    public async Task A_write_that_is_cancelled_gives_its_place_back()
    {
        using var sink = Create("sql=8ms:concurrency=1");
        using var cancelled = new CancellationTokenSource();
        var first = sink.WriteAsync(null!, cancelled.Token).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);

        var second = sink.WriteAsync(null!, TestContext.Current.CancellationToken).AsTask();
        await clock.UntilTimerIsSetAsync(TestContext.Current.CancellationToken);
        clock.Advance(TimeSpan.FromMilliseconds(8));

        await second;
    }

    [Fact]
    public async Task Writes_above_the_quota_wait_for_their_turn()
    {
        using var sink = Create("http=1ms:quota=2/s");
        var writes = Enumerable.Range(0, 2).Select(_ => sink.WriteAsync(null!, TestContext.Current.CancellationToken).AsTask()).ToArray();

        clock.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(writes[1].IsCompleted);
        while (!writes[1].IsCompleted)
        {
            await clock.UntilTimerIsSetAsync(TestContext.Current.CancellationToken);
            clock.AdvanceToNextTimer();
        }

        await Task.WhenAll(writes);
        Assert.InRange(clock.Elapsed.TotalMilliseconds, 1_000, 1_001);
    }

    [Fact]
    public void The_model_predicts_a_run_of_described_writes_from_them()
    {
        var run = Doubles.Reports.Of("pipelined").Options.WithWrites(DescribedWriteReader.Read("--write", ["http=40ms", "sql=8ms"]));

        Assert.Equal(["http", "sql"], run.Sinks.Select(static sink => sink.Name));
        Assert.Equal(16_000.0 / 40, ModelChoice.GetPrediction(run)!.EventsPerSecond, 8.0);
        Assert.Null(ModelChoice.GetPrediction(run with { Sinks = [run.Sinks[0]] }));
    }

    [Fact]
    public void Another_process_gets_the_sinks_from_the_document()
    {
        var run = Doubles.Reports.Of("pipelined").Options.WithWrites(DescribedWriteReader.Read("--write", ["http=40ms", "sql=8ms:concurrency=2"]));
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(file, RunDocument.Write(run with { Load = null }));

            var read = RunDocument.Read("--settings", file, static () => Stream.Null);

            Assert.Equal(["Takes as long as http=40ms.", "Takes as long as sql=8ms:concurrency=2."], read.Sinks.Select(static sink => sink.Summary));
            Assert.Equal(run.Writes, read.Writes);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private DescribedSink Create(string text) => new(DescribedWriteReader.Read("--write", [text]).Single(), clock);
}
