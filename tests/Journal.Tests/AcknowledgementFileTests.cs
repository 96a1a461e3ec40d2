using EventHubThroughput.Journal.Files;
using Xunit;

namespace EventHubThroughput.Journal.Tests;

public sealed class AcknowledgementFileTests : IDisposable
{
    private readonly string folder = Directory.CreateTempSubdirectory("eht-").FullName;

    private string FilePath => Path.Combine(folder, "acknowledgements");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public void Lines_come_back_in_their_order()
    {
        using (var writer = AcknowledgementWriter.Open(FilePath))
        {
            writer.Acknowledge("0", 41, "mine");
            writer.BeginCheckpoint("0", 41);
            writer.Acknowledge("1", 0, "other");
        }

        Assert.Equal([new(1, "0", 41, "mine"), new(2, "0", 41, null), new(3, "1", 0, "other")], AcknowledgementFile.Open(FilePath).Lines);
    }

    [Fact]
    public void A_line_is_in_the_file_when_the_call_returns()
    {
        using var writer = AcknowledgementWriter.Open(FilePath);
        writer.Acknowledge("0", 1, "mine");

        Assert.Equal([new(1, "0", 1, "mine")], AcknowledgementFile.Open(FilePath).Lines);
    }

    [Fact]
    public void An_incomplete_last_line_is_left_out()
    {
        using (var writer = AcknowledgementWriter.Open(FilePath))
        {
            writer.Acknowledge("0", 1, "mine");
        }

        File.AppendAllText(FilePath, "a,0,2,mi");

        Assert.Equal([1L], AcknowledgementFile.Open(FilePath).Lines.Select(static line => line.Sequence));
    }

    [Fact]
    public void A_new_record_takes_the_place_of_an_older_one()
    {
        using (var older = AcknowledgementWriter.Open(FilePath))
        {
            older.Acknowledge("0", 1, "mine");
        }

        using var newer = AcknowledgementWriter.Open(FilePath);
        newer.Acknowledge("0", 2, "mine");

        Assert.Equal([2L], AcknowledgementFile.Open(FilePath).Lines.Select(static line => line.Sequence));
        Assert.Equal([FilePath], Directory.GetFiles(folder));
    }

    [Fact]
    public void A_record_has_a_largest_size()
    {
        using var writer = AcknowledgementWriter.Open(FilePath, limit: 70);
        writer.Acknowledge("0", 1, "mine");

        Assert.Throws<IOException>(() => writer.Acknowledge("0", 1_000_000_000, "mine"));
        Assert.Single(AcknowledgementFile.Open(FilePath).Lines);
    }

    [Fact]
    public void Several_threads_write_whole_lines()
    {
        using (var writer = AcknowledgementWriter.Open(FilePath))
        {
            Parallel.For(0, 1_000, number => writer.Acknowledge("0", number, "mine"));
        }

        Assert.Equal(Enumerable.Range(0, 1_000), AcknowledgementFile.Open(FilePath).Lines.Select(static line => (int)line.Sequence).Order());
    }

    [Theory]
    [InlineData("a,0,1")]
    [InlineData("a,0,x,mine")]
    [InlineData("b,0,1")]
    [InlineData("")]
    public void A_damaged_line_is_named(string line)
    {
        AcknowledgementWriter.Open(FilePath).Dispose();
        File.AppendAllText(FilePath, line + "\n");

        Assert.Equal(
            "acknowledgements line 2: not readable",
            Assert.Throws<JournalFormatException>(() => AcknowledgementFile.Open(FilePath).Lines.ToList()).Message
        );
    }

    [Fact]
    public void Another_file_is_neither_read_nor_replaced()
    {
        File.WriteAllText(FilePath, "{\"format\":\"eht-ledger\",\"version\":1}\n");

        Assert.Equal(
            $"{FilePath}: not a record of acknowledgements of this program",
            Assert.Throws<JournalFormatException>(() => AcknowledgementFile.Open(FilePath)).Message
        );
        Assert.Throws<OutputRefusedException>(() => AcknowledgementWriter.Open(FilePath));
        Assert.Equal(
            "exists and is not a record of acknowledgements of this program, name another file, or move it away",
            OutputFile.Problem(FilePath, OutputKind.Acknowledgements)
        );
    }
}
