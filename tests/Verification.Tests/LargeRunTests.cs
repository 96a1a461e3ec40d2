using System.Diagnostics;
using System.Globalization;
using EventHubThroughput.Verification.Facts;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>
/// A run that is far larger than memory. For each commit it is small and memory smaller. <c>benchmarks/verifier</c> runs it with ten million events
/// and the memory that a user has.
/// </summary>
public sealed class LargeRunTests(ITestOutputHelper output)
{
    private const long MemoryLimit = 256L * 1024 * 1024;

    [Fact]
    public void A_run_of_any_size_is_judged_in_bounded_memory()
    {
        var events = Environment.GetEnvironmentVariable("EHT_VERIFIER_EVENTS") is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : 20_000;
        var resources = events > 100_000 ? new VerifierResources() : new VerifierResources { SortingBytes = 512 * 1024 };

        var (generating, bytes) = Generate(events);
        long records = 0;
        var reading = Timed(() => records = GeneratedJournal.Of(events).Views.LongCount());
        Verdict verdict = null!;
        var judging = Timed(() =>
            verdict = Verifier.Judge(GeneratedLedger.Of(events), GeneratedJournal.Of(events), GoodRun.GetScope(OrderPromise.Key), resources)
        );

        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal((events, events), (verdict.Acknowledged, verdict.Complete));
        Assert.InRange(records, 8 * events, 9 * events);
        using var process = Process.GetCurrentProcess();
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{events:N0} events, journal of {bytes / 1e9:F1} GB; processor time to make it {generating.TotalSeconds:F1} s, to make and read it "
                    + $"{reading.TotalSeconds:F1} s, to make and judge it {judging.TotalSeconds:F1} s; at most {process.PeakWorkingSet64 >> 20:N0} MiB of memory, sorted in {resources.SortingBytes >> 20:N0} MiB"
            )
        );
        if (events > 100_000)
        {
            Assert.InRange(process.PeakWorkingSet64, 0, MemoryLimit);
        }
    }

    // The cost to make the lines is not a cost of the verifier.
    private static (TimeSpan Elapsed, long Bytes) Generate(long events)
    {
        long bytes = 0;
        var elapsed = Timed(() =>
        {
            using var journal = new GeneratedJournal(events);
            var buffer = new byte[64 * 1024];
            while (journal.Read(buffer, 0, buffer.Length) is > 0 and var read)
            {
                bytes += read;
            }
        });
        return (elapsed, bytes);
    }

    // The processor's time: that of the clock depends on what else the machine does.
    private static TimeSpan Timed(Action action)
    {
        var before = Environment.CpuUsage.TotalTime;
        action();
        return Environment.CpuUsage.TotalTime - before;
    }
}
