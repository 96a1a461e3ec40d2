using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Journal.Tests;

public sealed class JournalFormatTests : IDisposable
{
    private readonly string path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.journal");

    private static JournalRecord[] OneOfEach =>
        [
            new EventAppended("hub", "0", 7, "7000", "ab", 3, "text/plain", Hash, new Dictionary<string, string> { ["eht-run"] = "r\t\"ä\n" }),
            new EventAppended("hub", "0", 8, "8000", "ab", 3, null, null, null),
            new EventAppended("hub", "0", 9, "9", Hash, 3, null, null, null),
            new EventAppended("hub", "0", 10, "10", Hash.ToUpperInvariant(), 3, null, null, null),
            new ReaderAttached("hub", "$Default", "0", 7, "link", 3, "owner"),
            new ReaderAttached("hub", "$Default", "0", 7, "link", null, null),
            new PartitionReadBack("hub", "0", 7),
            new EventDelivered("hub", "$Default", "0", 7, "link", 3),
            new EventDelivered("hub", "$Default", "0", 7, "link", null),
            new EventDelivered("hub", "$Default", "0", 7, "link", 3) { Count = 64 },
            new EventExpired("hub", "0", 7),
            new EmulatorStarted(),
            new StateFound(),
            .. Enum.GetValues<WriteMoment>()
                .Select(moment => new MessageWritten(moment, "queue", "hub-0-7", "ab", 3, "text/plain", "cd", new Dictionary<string, string>(), true)),
            new MessageWritten(WriteMoment.Stored, "queue", "hub-0-7", "ab", 3, null, null, null, false) { Arrival = 17 },
            new MessageWritten(WriteMoment.Begun, "queue", "hub-0-7", null, 0, null, null, null, false),
            new BlobWritten(WriteMoment.Stored, "archive", "hub/0/7", Hash, 3, null, null, "0x1", false) { PropertiesSha256 = Hash, Restated = true },
            .. Enum.GetValues<WriteMoment>()
                .Select(moment => new BlobWritten(
                    moment,
                    "archive",
                    "hub/0/7",
                    null,
                    3,
                    null,
                    new Dictionary<string, string> { ["sha256"] = "ab" },
                    "\"0x1\"",
                    true
                )),
            new BlobDeleted("deadletters", "hub/0/7", "0x1"),
            .. Enum.GetValues<WriteMoment>()
                .Select(moment => new CheckpointWritten(moment, "checkpoints", "hub", "$default", "0", "7000", "not a number", "owner", "e0", "e1")),
            new OwnershipWritten("checkpoints", "hub", "$default", "0", "", null, "e1"),
            new MessageDelivered("queue", "hub-0-7", 3, "link#1"),
            new MessageSettled("queue", "hub-0-7", 3, "dead-letter", null),
            new MessageSettled("queue", "hub-0-7", 3, "complete", "link#1"),
            new ConnectionCut("7"),
            new EmulatorPaused(40_250_000),
            new RulesNotEvaluated("topic/Subscriptions/one", "hub-0-7", "rule"),
            new RulesNotEvaluated("topic/Subscriptions/one", "hub-0-7", "rule") { Count = 90 },
            new FaultInjected("F11", "messageSend", "loseAnswer", "queue/hub-0-7"),
        ];

    private const string Hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    public void Dispose() => File.Delete(path);

    [Fact]
    public void The_checksum_is_crc_32c() => Assert.Equal(0xE3069283, Crc32C.Of("123456789"u8));

    [Fact]
    public void Every_kind_of_record_is_read_as_it_was_written()
    {
        Write(OneOfEach);

        AssertSame(OneOfEach, JournalReader.Read(path));
    }

    [Fact]
    public void A_record_looks_as_documented()
    {
        var clock = new VirtualClock();
        using (var writer = JournalWriter.Open(path, clock))
        {
            clock.Advance(TimeSpan.FromMicroseconds(1_500));
            writer.Write(new EventDelivered("hub", "$Default", "0", 7, "link", 0));
        }

        const string Json =
            "{\"t\":1,\"m\":1500,\"k\":\"eh.deliver\",\"hub\":\"hub\",\"group\":\"$Default\",\"partition\":\"0\",\"sequence\":7,\"link\":\"link\",\"ownerLevel\":0}";
        Assert.Equal("{\"format\":\"eht-journal\",\"version\":10}\n" + Line(Json), File.ReadAllText(path));
        Assert.Equal(1_500, Assert.Single(JournalReader.Read(path)).Microseconds);
    }

    [Fact]
    public void A_journal_can_be_read_while_its_writer_lives()
    {
        using var writer = JournalWriter.Open(path);
        Assert.Equal(1, writer.Write(OneOfEach[0]));
        Assert.Equal(3, writer.Write(OneOfEach.AsSpan(1, 2)));

        var journal = JournalFile.Open(path);
        Assert.Equal([1, 2, 3], journal.Records.Select(record => record.Tick));

        writer.Write(OneOfEach[3]);
        Assert.Equal(4, journal.Records.Count());
        Assert.False(journal.EndsEarly);
    }

    [Fact]
    public void Writers_on_several_threads_share_one_order()
    {
        using var writer = JournalWriter.Open(path);
        Parallel.For(0, 1000, new ParallelOptions { MaxDegreeOfParallelism = 4 }, i => writer.Write(OneOfEach[i % OneOfEach.Length]));

        Assert.Equal(1000, JournalReader.Read(path).Count());
    }

    [Fact]
    public void Only_the_owner_may_read_a_journal_that_replaces_any_earlier_file()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "file modes are those of Unix");
        File.WriteAllText(path, "{\"format\":\"eht-journal\",\"version\":5}\nold");
        SetMode(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);

        JournalWriter.Open(path).Dispose();
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, Mode());
        Assert.Empty(JournalReader.Read(path));
    }

    [Fact]
    public void A_record_that_is_too_long_is_refused_and_leaves_no_trace()
    {
        using var writer = JournalWriter.Open(path);
        var tooLong = new EventDelivered("hub", "g", "0", 7, new string('x', 1024 * 1024), 0);

        Assert.Throws<ArgumentException>(() => writer.Write(tooLong));
        Assert.Equal(1, writer.Write(OneOfEach[0]));
        Assert.Single(JournalReader.Read(path));
    }

    [Fact]
    public void A_cut_last_record_ends_the_journal_early_wherever_it_was_cut()
    {
        Write(OneOfEach.AsSpan(0, 3));
        var whole = File.ReadAllBytes(path);
        var lastBegins = whole.AsSpan(0, whole.Length - 1).LastIndexOf((byte)'\n') + 1;
        for (var length = lastBegins + 1; length < whole.Length; length++)
        {
            var journal = Of(whole[..length]);
            Assert.Equal(2, journal.Records.Count());
            Assert.True(journal.EndsEarly);
        }

        var atBorder = Of(whole[..lastBegins]);
        Assert.Equal(2, atBorder.Records.Count());
    }

    [Fact]
    public void Any_changed_byte_but_in_the_header_is_found()
    {
        Write(OneOfEach.AsSpan(0, 3));
        var whole = File.ReadAllBytes(path);
        var header = whole.AsSpan().IndexOf((byte)'\n') + 1;
        for (var at = header; at < whole.Length - 1; at++)
        {
            var changed = whole.ToArray();
            changed[at] ^= 1;
            Assert.Throws<JournalFormatException>(() => Of(changed).Records.Count());
        }
    }

    [Theory]
    [InlineData(1, "journal record 2: has tick 3. Records are missing or out of order")]
    [InlineData(0, "journal record 1: has tick 2. Records are missing or out of order")]
    public void A_record_taken_out_is_missed(int record, string expected)
    {
        Write(OneOfEach.AsSpan(0, 4));
        var lines = File.ReadAllLines(path).ToList();
        lines.RemoveAt(record + 1);

        Assert.Equal(expected, Refusal(string.Join('\n', lines) + "\n"));
    }

    [Fact]
    public void Records_in_another_order_or_repeated_are_refused()
    {
        Write(OneOfEach.AsSpan(0, 3));
        var lines = File.ReadAllLines(path);

        Assert.StartsWith("journal record 1: has tick 2", Refusal($"{lines[0]}\n{lines[2]}\n{lines[1]}\n"), StringComparison.Ordinal);
        Assert.StartsWith("journal record 2: has tick 1", Refusal($"{lines[0]}\n{lines[1]}\n{lines[1]}\n"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{\"t\":1,\"k\":\"sb.lost\"}", "journal record 1: unknown kind of record")]
    [InlineData("{\"t\":1,\"k\":\"fault\"}", "journal record 1: field 'fault' missing")]
    [InlineData("{\"t\":1,\"k\":\"sb.accept\",\"entity\":\"q\",\"messageId\":\"1\"}", "journal record 1: field 'length' missing")]
    [InlineData("{\"t\":1}", "journal record 1: field 'k' missing")]
    [InlineData("{\"k\":\"own.write\"}", "journal record 1: field 'container' missing")]
    [InlineData("{\"t\":1,\"k\":\"eh.deliver\",\"secret\":1}", "journal record 1: not readable")]
    [InlineData("{\"t\":1.5}", "journal record 1: not readable")]
    [InlineData("{}{}", "journal record 1: not readable")]
    [InlineData("[]", "journal record 1: not readable")]
    [InlineData("", "journal record 1: not readable")]
    public void A_line_with_a_valid_checksum_that_is_not_a_record_is_refused(string json, string expected) =>
        Assert.Equal(expected, Refusal($"{{\"format\":\"eht-journal\",\"version\":1}}\n{Line(json)}"));

    [Theory]
    [InlineData("")]
    [InlineData("{}\n")]
    [InlineData("[]\n")]
    [InlineData("hello\n")]
    [InlineData("{\"format\":\"eht-journal\",\"version\":1}")]
    [InlineData("{\"format\":\"eht-journal\"}\n")]
    [InlineData("{\"format\":\"eht-journal\",\"version\":\"1\"}\n")]
    [InlineData("{\"format\":\"eht-ledger\",\"version\":1}\n")]
    public void Another_file_is_not_read_as_a_journal(string content) => Assert.Equal("journal: not a journal of this program", Refusal(content));

    [Fact]
    public void A_newer_version_is_refused() =>
        Assert.Equal("journal: journal version 11 is newer than this program (10)", Refusal("{\"format\":\"eht-journal\",\"version\":11}\n"));

    [Fact]
    public void A_journal_of_version_1_is_still_read()
    {
        var journal = Of(
            Encoding.UTF8.GetBytes(
                "{\"format\":\"eht-journal\",\"version\":1}\n"
                    + Line("{\"t\":1,\"k\":\"eh.deliver\",\"hub\":\"hub\",\"group\":\"$Default\",\"partition\":\"0\",\"sequence\":7,\"link\":\"link\"}")
            )
        );
        Assert.Equal(new EventDelivered("hub", "$Default", "0", 7, "link", null) { Tick = 1 }, Assert.Single(journal.Records));
    }

    [Fact]
    public void An_answer_need_not_repeat_what_was_sent()
    {
        Write([new MessageWritten(WriteMoment.Answered, "queue", "hub-0-7", null, 0, null, null, null, false)]);

        Assert.EndsWith(
            "\"k\":\"sb.answered\",\"entity\":\"queue\",\"messageId\":\"hub-0-7\"}",
            File.ReadAllLines(path)[1].Split('\t')[0],
            StringComparison.Ordinal
        );
        Assert.Equal("hub-0-7", Assert.IsType<MessageWritten>(Assert.Single(JournalReader.Read(path))).MessageId);
    }

    [Fact]
    public void A_hash_is_written_in_43_letters_and_read_as_it_was() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll<byte[]>(seed =>
            {
                var hash = Convert.ToHexStringLower(SHA256.HashData(seed));
                Write([new EventAppended("hub", "0", 7, "7", hash, 3, null, null, null)]);
                Assert.DoesNotContain(hash, File.ReadAllText(path), StringComparison.Ordinal);
                Assert.Equal(hash, Assert.IsType<EventAppended>(Assert.Single(JournalReader.Read(path))).Sha256);
            })
        );

    [Theory]
    [InlineData("0")]
    [InlineData("65537")]
    [InlineData("9223372036854775807")]
    public void A_record_of_no_events_or_of_far_too_many_is_refused(string count)
    {
        const string Start = "{\"t\":1,\"m\":1,\"k\":\"eh.deliver\",\"hub\":\"h\",\"group\":\"g\",\"partition\":\"0\",\"sequence\":7,\"link\":\"l\",";
        Assert.Equal("journal record 1: not readable", Refusal("{\"format\":\"eht-journal\",\"version\":8}\n" + Line($"{Start}\"count\":{count}}}")));
    }

    [Fact]
    public void Any_bytes_give_records_or_the_declared_error()
    {
        Write(OneOfEach);
        var good = File.ReadAllBytes(path);
        var header = good[..(good.AsSpan().IndexOf((byte)'\n') + 1)];
        var json = ArbMap.Default.ArbFor<string>().Generator.Select(text => Encoding.UTF8.GetBytes(Line(text?.ReplaceLineEndings(" ") ?? "")));
        var bytes = Gen.OneOf(
            ArbMap.Default.ArbFor<byte[]>().Generator,
            ArbMap.Default.ArbFor<byte[]>().Generator.Select(noise => (byte[])[.. header, .. noise]),
            json.Select(line => (byte[])[.. header, .. line]),
            Gen.Choose(0, good.Length - 1).Select(at => (byte[])[.. good[..at], (byte)(good[at] + 1), .. good[(at + 1)..]]),
            Gen.Choose(0, good.Length - 1).Select(at => (byte[])[.. good[..at], .. good[(at / 2)..]])
        );
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                bytes.ToArbitrary(),
                content =>
                {
                    try
                    {
                        Assert.InRange(Of(content).Records.Count(), 0, content.Length);
                    }
                    catch (JournalFormatException)
                    {
                        // The one declared error.
                    }
                }
            )
        );
    }

    private static string Line(string json) => $"{json}\t{Crc32C.Of(Encoding.UTF8.GetBytes(json)):x8}\n";

    private static JournalFile Of(byte[] content) => JournalFile.From(() => new MemoryStream(content));

    private static string Refusal(string content) => Assert.Throws<JournalFormatException>(() => Of(Encoding.UTF8.GetBytes(content)).Records.Count()).Message;

    private static void AssertSame(IReadOnlyList<JournalRecord> expected, IEnumerable<JournalRecord> actual)
    {
        // Records compare dictionaries by reference: their text does not.
        var numbered = expected.Select((record, index) => record with { Tick = index + 1 });
        Assert.Equal(numbered.Select(Text), actual.Select(static record => Text(record with { Microseconds = 0 })));

        static string Text(JournalRecord record) => System.Text.Json.JsonSerializer.Serialize(record, record.GetType());
    }

    private void Write(ReadOnlySpan<JournalRecord> records)
    {
        using var writer = JournalWriter.Open(path);
        writer.Write(records);
    }

    private void SetMode(UnixFileMode mode)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, mode);
        }
    }

    private UnixFileMode Mode() => OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(path);
}
