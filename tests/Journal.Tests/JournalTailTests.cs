using Xunit;

namespace EventHubThroughput.Journal.Tests;

public sealed class JournalTailTests : IDisposable
{
    private readonly string path = Path.GetTempFileName();

    [Fact]
    public void Each_look_gives_what_has_come_since_the_last_one()
    {
        using var writer = JournalWriter.Open(path, TimeProvider.System);
        using var tail = JournalTail.Open(path);
        Assert.Empty(tail.Look());

        writer.Write(Delivered(1));
        writer.Write(Delivered(2));
        Assert.Equal([1L, 2L], Sequences(tail));
        Assert.Empty(tail.Look());

        writer.Write(Delivered(3));
        Assert.Equal([3L], Sequences(tail));
    }

    [Fact]
    public void Noted_records_keep_their_place_before_the_next_written_ones()
    {
        using var writer = JournalWriter.Open(path, TimeProvider.System);
        using var tail = JournalTail.Open(path);
        writer.Write(Delivered(1));
        writer.Note([Delivered(2)]);
        writer.Note([Delivered(3), Delivered(4)]);
        writer.Write(Delivered(5));
        Assert.Equal([1L, 2L, 3L, 4L, 5L], Sequences(tail));
    }

    [Fact]
    public void Noted_records_are_in_the_file_when_the_writer_has_ended()
    {
        using var tail = NoteAndEnd();
        Assert.Equal([1L, 2L], Sequences(tail));
    }

    [Fact]
    public async Task A_noted_record_is_written_to_the_system_without_a_further_call()
    {
        await using var writer = JournalWriter.Open(path, TimeProvider.System);
        using var tail = JournalTail.Open(path);
        writer.Note([Delivered(1)]);
        long[] seen = [];
        while (seen.Length == 0)
        {
            TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
            await Task.Yield();
            seen = Sequences(tail);
        }

        Assert.Equal([1L], seen);
    }

    [Fact]
    public void A_record_that_is_half_written_is_given_when_it_is_whole()
    {
        using (var writer = JournalWriter.Open(path, TimeProvider.System))
        {
            writer.Write(Delivered(1));
            writer.Write(Delivered(2));
        }

        var whole = File.ReadAllBytes(path);
        File.WriteAllBytes(path, whole[..^10]);
        using var tail = JournalTail.Open(path);
        Assert.Equal([1L], Sequences(tail));

        File.WriteAllBytes(path, whole);
        Assert.Equal([2L], Sequences(tail));
    }

    [Fact]
    public void Damage_and_a_file_that_is_not_a_journal_are_refused()
    {
        Assert.Throws<JournalFormatException>(() => JournalTail.Open(path));

        File.WriteAllText(path, "{\"format\":\"eht-journal\",\"version\":2}\n{}\t00000000\n");
        using var tail = JournalTail.Open(path);
        Assert.Contains("record 1", Assert.Throws<JournalFormatException>(() => tail.Look().Count()).Message, StringComparison.Ordinal);
    }

    public void Dispose() => File.Delete(path);

    private JournalTail NoteAndEnd()
    {
        using var writer = JournalWriter.Open(path, TimeProvider.System);
        var tail = JournalTail.Open(path);
        writer.Note([Delivered(1)]);
        writer.Note([Delivered(2)]);
        return tail;
    }

    private static EventDelivered Delivered(long sequence) => new("hub", "$Default", "0", sequence, "link", 0);

    private static long[] Sequences(JournalTail tail) => [.. tail.Look().Cast<EventDelivered>().Select(record => record.Sequence)];
}
