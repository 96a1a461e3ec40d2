using System.Runtime.InteropServices;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Journal.Tests;

public sealed class JournalContinuationTests : IDisposable
{
    private readonly string path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");
    private readonly VirtualClock clock = new();

    public void Dispose() => File.Delete(path);

    [Fact]
    public void Ticks_and_times_continue()
    {
        using (var first = JournalWriter.Open(path, clock))
        {
            clock.Advance(TimeSpan.FromSeconds(2));
            first.Write([Delivery(0), Delivery(1)]);
        }

        clock.Advance(TimeSpan.FromSeconds(5));
        using (var second = JournalWriter.Continue(path, clock))
        {
            Assert.Equal(2, second.Continued.Tick);
            clock.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(3, second.Write(Delivery(2)));
        }

        var records = JournalReader.Read(path).ToList();
        Assert.Equal([1, 2, 3], records.Select(static record => record.Tick));

        // A monotonic clock cannot measure the time without a writer.
        Assert.Equal([2_000_000, 2_000_000, 3_000_000], records.Select(static record => record.Microseconds));
    }

    [Fact]
    public void A_record_that_was_cut_is_taken_away_wherever_it_was_cut()
    {
        Start(3);
        var whole = File.ReadAllBytes(path);
        var lastBegins = whole.AsSpan(0, whole.Length - 1).LastIndexOf((byte)'\n') + 1;
        for (var length = lastBegins; length < whole.Length; length++)
        {
            File.WriteAllBytes(path, whole[..length]);
            using (var writer = JournalWriter.Continue(path, clock))
            {
                Assert.Equal(length - lastBegins, writer.Continued.CutBytes);
                Assert.Equal(3, writer.Write(Delivery(9)));
            }

            Assert.Equal([0, 1, 9], JournalReader.Read(path).Cast<EventDelivered>().Select(static record => record.Sequence));
        }
    }

    [Fact]
    public void Damage_before_the_last_record_is_refused_and_left_as_it_is()
    {
        Start(3);
        var damaged = File.ReadAllBytes(path);
        damaged[damaged.AsSpan().IndexOf((byte)'\n') + 20] ^= 1;
        File.WriteAllBytes(path, damaged);

        var refusal = Assert.Throws<JournalFormatException>(() => JournalWriter.Continue(path, clock));
        Assert.Equal("journal record 1: checksum differs", refusal.Message);
        Assert.Equal(damaged, File.ReadAllBytes(path));
    }

    [Theory]
    [InlineData("{\"format\":\"eht-journal\",\"version\":1}\n", "journal version 1 cannot be continued by this program (10)")]
    [InlineData("{\"format\":\"eht-journal\",\"version\":11}\n", "journal version 11 is newer than this program (10)")]
    [InlineData("my letters\n", "not a journal of this program")]
    public void Another_file_is_refused_and_left_as_it_is(string content, string expected)
    {
        File.WriteAllText(path, content);
        Assert.EndsWith(expected, Assert.Throws<JournalFormatException>(() => JournalWriter.Continue(path, clock)).Message, StringComparison.Ordinal);
        Assert.Equal(content, File.ReadAllText(path));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_a_journal_one_is_started(bool isThereAndEmpty)
    {
        if (isThereAndEmpty)
        {
            File.WriteAllText(path, string.Empty);
        }

        using (var writer = JournalWriter.Continue(path, clock))
        {
            Assert.Equal(default, writer.Continued);
            Assert.Equal(1, writer.Write(Delivery(0)));
        }

        Assert.Single(JournalReader.Read(path));
    }

    [Fact]
    public void Nothing_is_confirmed_that_a_full_disk_did_not_take()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "the device that is always full is Linux's");
        var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        using var writer = JournalWriter.Over(full, default, clock);
        for (var attempt = 0; attempt < 2; attempt++)
        {
            Assert.StartsWith(
                "the journal could not be written",
                Assert.Throws<IOException>(() => writer.Write(Delivery(0))).Message,
                StringComparison.Ordinal
            );
            Assert.Equal(0, writer.LastTick);
        }
    }

    [Fact]
    public void Every_thread_gets_the_failure_of_a_write_and_no_tick_is_lost()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "the device that is always full is Linux's");
        var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        using var writer = JournalWriter.Over(full, default, clock);
        var refused = 0;
        Parallel.For(
            0,
            1_000,
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            number =>
            {
                Assert.Throws<IOException>(() => writer.Write(Delivery(number)));
                Interlocked.Increment(ref refused);
            }
        );
        Assert.Equal(1_000, refused);
        Assert.Equal(0, writer.LastTick);
    }

    [Fact]
    public void Records_noted_on_a_full_disk_come_before_the_next_record()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "the device that is always full is Linux's");
        Start(1);
        using var place = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        using (var writer = JournalWriter.Over(full, JournalEnd.Of(path), clock))
        {
            // The thread pool tries to write the notes. A try that ends after there is room would take the next record with it.
            using var hasTried = new ManualResetEventSlim();
            writer.WriteFailed = _ => hasTried.Set();
            clock.Advance(TimeSpan.FromSeconds(1));
            writer.Note([Delivery(1), Delivery(2)]);
            Assert.True(hasTried.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
            clock.Advance(TimeSpan.FromSeconds(1));
            for (var attempt = 0; attempt < 2; attempt++)
            {
                Assert.Throws<IOException>(() => writer.Write(Delivery(8)));
                Assert.Equal(3, writer.LastTick);
            }

            // There is room again.
            Assert.True(NativeMethods.dup2((int)place.SafeFileHandle.DangerousGetHandle(), (int)full.SafeFileHandle.DangerousGetHandle()) >= 0);
            writer.Note([Delivery(3)]);
            Assert.Equal(5, writer.Write(Delivery(9)));
        }

        var records = JournalReader.Read(path).Cast<EventDelivered>().ToList();
        Assert.Equal([0, 1, 2, 3, 9], records.Select(static record => record.Sequence));
        Assert.Equal([0, 1_000_000, 1_000_000, 2_000_000, 2_000_000], records.Select(static record => record.Microseconds));
    }

    [Fact]
    public void Last_mebibyte_of_records_is_kept_while_the_disk_is_full()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "the device that is always full is Linux's");
        var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        using var writer = JournalWriter.Over(full, default, clock);
        var note = Delivery(0) with { Link = new string('l', 1000) };
        for (var number = 0; number < 5_000; number++)
        {
            writer.Note([note]);
        }

        Assert.Throws<IOException>(() => writer.Write(Delivery(0)));
        Assert.InRange(writer.LastTick, 900, 1024);
    }

    private static EventDelivered Delivery(long sequence) => new("hub", "$Default", "0", sequence, "link", 0);

    private void Start(int records)
    {
        using var writer = JournalWriter.Open(path, clock);
        for (var i = 0; i < records; i++)
        {
            writer.Write(Delivery(i));
        }
    }

    private static class NativeMethods
    {
        /// <summary>Makes a descriptor lead to another file.</summary>
        [DllImport("libc")]
        [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
        public static extern int dup2(int descriptor, int replaced);
    }
}
