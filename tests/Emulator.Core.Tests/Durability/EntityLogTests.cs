using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Durability;

/// <summary>Appended records are there again. A torn end is cut off. Damage elsewhere is refused.</summary>
public sealed class EntityLogTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-log").FullName;

    private string File => Path.Combine(_folder, "entity.log");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Appended_records_are_read_back_and_the_log_continues_after_them()
    {
        Write([1], [], [2, 3]);
        using (var log = Open(out var first))
        {
            Assert.Equal(
                [
                    [1],
                    [],
                    [2, 3],
                ],
                first
            );
            log.Append(new byte[] { 4 }, new byte[] { 5 });
        }

        Open(out var second).Dispose();
        Assert.Equal(
            [
                [1],
                [],
                [2, 3],
                [4, 5],
            ],
            second
        );
    }

    [Fact]
    public void Cut_at_any_byte_it_holds_the_records_that_were_whole()
    {
        byte[][] payloads =
        [
            [1, 2, 3],
            [],
            [4],
            [5, 6, 7, 8, 9],
        ];
        Write(payloads);
        var whole = System.IO.File.ReadAllBytes(File);
        for (var length = 0; length <= whole.Length; length++)
        {
            System.IO.File.WriteAllBytes(File, whole[..length]);
            using var log = Open(out var found, out var torn);
            var expected = Ends(payloads).Count(end => end <= length);
            Assert.Equal(payloads.Take(expected), found);
            Assert.Equal(length < 8 ? 0 : length - (expected == 0 ? 8 : Ends(payloads).ElementAt(expected - 1)), torn);
        }
    }

    [Fact]
    public void A_flipped_bit_is_never_served()
    {
        byte[][] payloads =
        [
            [1, 2, 3],
            [4],
            [5, 6, 7, 8, 9],
        ];
        Write(payloads);
        var whole = System.IO.File.ReadAllBytes(File);
        for (var bit = 0; bit < whole.Length * 8; bit++)
        {
            var damaged = (byte[])whole.Clone();
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            System.IO.File.WriteAllBytes(File, damaged);
            try
            {
                using var log = Open(out var found);
                Assert.True(found.Count < payloads.Length && found.SequenceEqual(payloads.Take(found.Count), ByteArrays.Equal), $"bit {bit}");
                Assert.True(bit / 8 >= Ends(payloads).ElementAt(1), $"bit {bit} lies in a record before the last and was taken for a torn end");
            }
            catch (DamagedLogException)
            {
                Assert.Equal(damaged, System.IO.File.ReadAllBytes(File));
            }
        }
    }

    [Fact]
    public void Zeros_that_a_machine_crash_left_at_the_end_are_cut_off()
    {
        Write([1]);
        using (var file = System.IO.File.OpenWrite(File))
        {
            file.SetLength(file.Length + 4096);
        }

        using var log = Open(out var found, out var torn);
        Assert.Equal(
            [
                [1],
            ],
            found
        );
        Assert.Equal(4096, torn);
    }

    [Fact]
    public void A_rewrite_keeps_slices_of_the_old_file_readable()
    {
        using var log = Open(out _);
        var at = log.Append(new byte[] { 1, 2, 3 });
        var old = log.Slice(at + 1, 2);
        log.Rewrite(fresh => fresh.Append(new byte[] { 9 }));
        log.Append(new byte[] { 8 });

        var bytes = new byte[2];
        old.Read(0, bytes);
        Assert.Equal([2, 3], bytes);
        log.Dispose();
        Open(out var found).Dispose();
        Assert.Equal(
            [
                [9],
                [8],
            ],
            found
        );
    }

    [Fact]
    public void A_rewrite_that_fails_changes_nothing()
    {
        using (var log = Open(out _))
        {
            log.Append(new byte[] { 1 });
            Assert.Throws<InvalidOperationException>(() => log.Rewrite(static _ => throw new InvalidOperationException()));
            log.Append(new byte[] { 2 });
        }

        Open(out var found).Dispose();
        Assert.Equal(
            [
                [1],
                [2],
            ],
            found
        );
        Assert.Single(Directory.GetFiles(_folder));
    }

    [Fact]
    public void A_newer_format_and_other_files_are_refused_and_left_alone()
    {
        System.IO.File.WriteAllBytes(File, [0x45, 0x4C, 0x4F, 0x47, 2, 0, 0, 0]);
        Assert.Contains("format 2 is newer", Assert.Throws<DamagedLogException>(() => Open(out _)).Message, StringComparison.Ordinal);
        System.IO.File.WriteAllText(File, "anything else");
        Assert.Contains("not a log", Assert.Throws<DamagedLogException>(() => Open(out _)).Message, StringComparison.Ordinal);
        Assert.Equal("anything else", System.IO.File.ReadAllText(File));
    }

    [Fact]
    public void Every_value_that_is_written_into_a_record_is_read_from_it()
    {
        Prop.ForAll<int, long, byte[]>(
                static (number, wide, bytes) =>
                {
                    var kind = (byte)number;
                    var text = Convert.ToBase64String(bytes);
                    var time = new DateTimeOffset(Math.Abs(wide % DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero);
                    var written = new RecordWriter().Start(kind).Int32(number).Int64(wide).Time(time).Bytes(bytes).Text(text).Text(null).Written.ToArray();
                    var reader = new RecordReader(written);
                    return reader.Byte() == kind
                        && reader.Int32() == number
                        && reader.Int64() == wide
                        && reader.Time() == time
                        && reader.Bytes().Span.SequenceEqual(bytes)
                        && reader.Text() == text
                        && reader.Text() is null
                        && reader.AtEnd;
                }
            )
            .Check(PropertyCases.Usual);
    }

    private static IEnumerable<long> Ends(IEnumerable<byte[]> payloads)
    {
        long end = 8;
        foreach (var payload in payloads)
        {
            end += EntityLog.RecordOverhead + payload.Length;
            yield return end;
        }
    }

    private void Write(params byte[][] payloads)
    {
        using var log = Open(out _);
        foreach (var payload in payloads)
        {
            log.Append(payload);
        }
    }

    private EntityLog Open(out List<byte[]> found) => Open(out found, out _);

    private EntityLog Open(out List<byte[]> found, out long torn)
    {
        var records = found = [];
        return EntityLog.Open(File, SyncPolicy.Never, record => records.Add(record.Payload.ToArray()), out torn);
    }

    private static class ByteArrays
    {
        public static IEqualityComparer<byte[]> Equal { get; } =
            EqualityComparer<byte[]>.Create(static (a, b) => a!.AsSpan().SequenceEqual(b), static bytes => bytes.Length);
    }
}
