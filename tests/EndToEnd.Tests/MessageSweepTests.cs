using System.Text.Json;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The processor sweep on real processes: cells of both processors within their limits.</summary>
public sealed class MessageSweepTests
{
    [Theory]
    [InlineData("")]
    [InlineData("--topic")]
    [InlineData("--clients builtin --builds this,{programs}")]
    [InlineData("--clients official,builtin --block-ms 5")]
    public async Task A_processor_forwards_within_its_limits_and_nothing_is_lost(string destination)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "processors are limited by taskset, which is Linux's");
        using var folder = new TemporaryFolder();
        var (data, report) = (folder.File("sweep.json"), folder.File("sweep.html"));

        var run = await Programs.ConsumerAsync(
            $"sweep --scenario servicebus-processor --concurrency 4,16 --threads +4 --cores 1 --memory 2 --warm-up 1s --measure 2s {destination} --output {data} --report {report}"
                .Replace("  ", " ", StringComparison.Ordinal)
                .Replace("{programs}", AppContext.BaseDirectory, StringComparison.Ordinal),
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.StartsWith("<!DOCTYPE html>", await File.ReadAllTextAsync(report, TestContext.Current.CancellationToken), StringComparison.Ordinal);
        using var result = JsonDocument.Parse(await File.ReadAllBytesAsync(data, TestContext.Current.CancellationToken));
        Assert.True(result.RootElement.GetProperty("sweep").GetProperty("complete").GetBoolean());
        Assert.Equal(
            destination.Contains("--builds", StringComparison.Ordinal),
            run.Output.Contains("(the same packages). Its processor time a message was ", StringComparison.Ordinal)
        );
        Assert.All(
            result.RootElement.GetProperty("cells").EnumerateArray(),
            static cell =>
            {
                var concurrency = cell.GetProperty("point").GetProperty("concurrency").GetInt32();
                Assert.Equal((1, 1_610_612_736), (cell.GetProperty("processorCountSeen").GetInt32(), cell.GetProperty("heapLimitBytes").GetInt64()));
                Assert.Equal(concurrency + 4, cell.GetProperty("leastThreads").GetInt32());
                Assert.InRange(cell.GetProperty("mostHandling").GetInt32(), 1, concurrency);
                Assert.InRange(cell.GetProperty("forwarded").GetInt64(), 1, cell.GetProperty("drained").GetInt64());
                Assert.Equal(0, cell.GetProperty("locksLost").GetInt64());
            }
        );
    }
}
