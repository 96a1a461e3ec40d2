using System.Text;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Journal.Tests;

public sealed class LedgerFormatTests : IDisposable
{
    private const string Header = "{\"format\":\"eht-ledger\",\"version\":1}\n";

    private readonly string path = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():N}.ledger");

    private static LedgerRow[] Rows =>
        [
            new("r", "hub", "kä\"y\n", 0, 0, "ab", 3, 1000, 1001, SendOutcome.Acked),
            new("r", "hub", null, 1, 1, "cd", 0, 1000, 1002, SendOutcome.Failed),
            new("r", "hub", "", 2, 2, "ef", 4, 1000, 1003, SendOutcome.Unknown),
        ];

    public void Dispose() => File.Delete(path);

    [Fact]
    public void Rows_are_read_as_they_were_written()
    {
        Write();

        var ledger = LedgerFile.Open(path);
        Assert.Equal(Rows, ledger.Rows);
        Assert.False(ledger.EndsEarly);
        Assert.Equal(Rows, LedgerReader.Read(path));
    }

    [Fact]
    public void A_row_looks_as_documented()
    {
        Write();

        Assert.Equal(
            "{\"run\":\"r\",\"hub\":\"hub\",\"index\":1,\"keyIndex\":1,\"sha256\":\"cd\",\"length\":0,\"intended\":1000,\"actual\":1002,\"outcome\":\"failed\"}",
            File.ReadAllLines(path)[2]
        );
        Assert.StartsWith("{\"run\":\"r\",\"hub\":\"hub\",\"key\":\"kä\\\"y\\n\",", File.ReadAllLines(path)[1], StringComparison.Ordinal);
        Assert.Equal("{\"rows\":3}", File.ReadAllLines(path)[^1]);
    }

    [Fact]
    public void A_ledger_is_closed_once()
    {
        var writer = LedgerWriter.Open(path);
        writer.Dispose();
        writer.Dispose();

        Assert.Equal([Header.TrimEnd(), "{\"rows\":0}"], File.ReadAllLines(path));
    }

    [Fact]
    public void A_ledger_can_be_read_while_it_is_written()
    {
        using var writer = LedgerWriter.Open(path);
        writer.Write(Rows[0]);
        writer.Flush();

        var ledger = LedgerFile.Open(path);
        Assert.Equal(Rows[..1], ledger.Rows);
        Assert.True(ledger.EndsEarly);
    }

    [Fact]
    public void A_ledger_without_its_closing_line_ends_early_wherever_it_was_cut()
    {
        Write();
        var whole = File.ReadAllBytes(path);
        for (var length = Header.Length; length < whole.Length; length++)
        {
            var ledger = Of(whole[..length]);
            Assert.InRange(ledger.Rows.Count(), 0, 3);
            Assert.True(ledger.EndsEarly);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("secret\n")]
    [InlineData("{\"format\":\"eht-journal\",\"version\":1}\n")]
    public void A_file_that_is_not_a_ledger_is_refused_when_it_is_opened(string content)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(content));

        Assert.Equal("ledger: not a ledger of this program", Assert.Throws<JournalFormatException>(() => LedgerFile.From(() => stream)).Message);
        Assert.False(stream.CanRead, "the stream is left open");
    }

    [Theory]
    [InlineData("", "ledger: not a ledger of this program")]
    [InlineData(Header, "ledger line 2: longer than 1048576 bytes")]
    public void A_line_without_an_end_is_refused(string before, string expected)
    {
        var endless = new byte[before.Length + JournalFormat.MaximumLine + 1];
        Array.Fill(endless, (byte)'x');
        Encoding.UTF8.GetBytes(before, endless);

        Assert.Equal(expected, Assert.Throws<JournalFormatException>(() => Of(endless).Rows.Count()).Message);
    }

    [Theory]
    [InlineData("", "ledger: not a ledger of this program")]
    [InlineData("{\"format\":\"eht-journal\",\"version\":1}\n", "ledger: not a ledger of this program")]
    [InlineData("{\"format\":\"eht-ledger\",\"version\":3}\n", "ledger: ledger version 3 is newer than this program (1)")]
    [InlineData(Header + "{\"rows\":0}\n{\"rows\":0}\n", "ledger line 3: follows the closing line")]
    [InlineData(Header + "{\"rows\":1}\n", "ledger line 2: counts 1 rows, but the file has 0")]
    [InlineData(Header + "{\"run\":\"secret\"}\n", "ledger line 2: a field is missing")]
    [InlineData(Header + "{\"secret\":1}\n", "ledger line 2: not readable")]
    [InlineData(Header + "secret\n", "ledger line 2: not readable")]
    [InlineData(Header + "\n", "ledger line 2: not readable")]
    [InlineData(Header + "[]\n", "ledger line 2: not readable")]
    [InlineData(Header + "{\"rows\":0}x\n", "ledger line 2: not readable")]
    public void A_damaged_ledger_is_refused_by_line(string content, string expected) =>
        Assert.Equal(expected, Assert.Throws<JournalFormatException>(() => Of(Encoding.UTF8.GetBytes(content)).Rows.Count()).Message);

    [Fact]
    public void Any_bytes_give_rows_or_the_declared_error()
    {
        Write();
        var good = File.ReadAllBytes(path);
        var bytes = Gen.OneOf(
            ArbMap.Default.ArbFor<byte[]>().Generator.Select(noise => (byte[])[.. Encoding.UTF8.GetBytes(Header), .. noise, (byte)'\n']),
            Gen.Choose(0, good.Length - 1).SelectMany(at => Gen.Choose(0, 255).Select(value => (byte[])[.. good[..at], (byte)value, .. good[(at + 1)..]]))
        );
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                bytes.ToArbitrary(),
                content =>
                {
                    try
                    {
                        Assert.InRange(Of(content).Rows.Count(), 0, content.Length);
                    }
                    catch (JournalFormatException)
                    {
                        // The one declared error.
                    }
                }
            )
        );
    }

    private static LedgerFile Of(byte[] content) => LedgerFile.From(() => new MemoryStream(content));

    private void Write()
    {
        using var writer = LedgerWriter.Open(path);
        Array.ForEach(Rows, writer.Write);
    }
}
