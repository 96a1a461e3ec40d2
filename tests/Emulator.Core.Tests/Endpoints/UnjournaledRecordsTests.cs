using EventHubThroughput.Journal;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>A kill between an entity's log and the journal: the log has records that are not in the journal.</summary>
public sealed class UnjournaledRecordsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-unheard").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Journal => Path.Combine(_folder, "journal");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Events_that_a_kill_left_only_in_the_log_are_recorded_before_they_are_delivered(int lost)
    {
        await SendAsync("a", "b", "c");
        var before = Records<EventAppended>();
        Assert.Equal(3, before.Count);
        Forget(lost);
        await SendAsync("d");
        var after = Records<EventAppended>();
        Assert.Equal([0L, 1L, 2L, 3L], after.Select(static record => record.Sequence));
        Assert.Equal(
            before.Select(static record => (record.Sha256, record.Length, record.Offset)),
            after.Take(3).Select(static record => (record.Sha256, record.Length, record.Offset))
        );
    }

    [Fact]
    public async Task A_complete_journal_is_continued_as_it_is()
    {
        await SendAsync("a", "b");
        await SendAsync();
        Assert.Empty(Records<StateFound>());
        Assert.Equal([0L, 1L], Records<EventAppended>().Select(static record => record.Sequence));
    }

    [Fact]
    public async Task A_new_journal_over_existing_data_records_all_of_it_first()
    {
        await SendAsync([.. Enumerable.Range(0, 100).Select(static index => $"{index}")]);
        File.Delete(Journal);
        await SendAsync();
        await SendAsync("new");
        var records = Records<JournalRecord>();
        Assert.Equal(Enumerable.Range(0, 101).Select(static index => (long)index), records.OfType<EventAppended>().Select(static record => record.Sequence));

        // Once, after the existing data.
        Assert.Equal(101, Assert.Single(records.OfType<StateFound>()).Tick);
    }

    private List<T> Records<T>() => [.. JournalFile.Open(Journal).Records.OfType<T>()];

    private void Forget(int records)
    {
        var lines = File.ReadAllLines(Journal);
        File.WriteAllText(Journal, string.Concat(lines[..^records].Select(static line => line + "\n")));
    }

    private async Task SendAsync(params string[] bodies)
    {
        await using var host = await EmulatorHost.StartAsync(
            new EmulatorOptions { DataPath = Path.Combine(_folder, "data"), JournalPath = Journal },
            Cancellation
        );
        await using var peer = await Peer.ConnectAsync(host.Settings["EVENTHUB_CONNECTION_STRING"]);
        await peer.PutTokenAsync(host.Hub.Name);
        var sender = await peer.SenderAsync($"{host.Hub.Name}/Partitions/0");
        foreach (var body in bodies)
        {
            await sender.SendAsync(Encoded.Message(body), 0, Cancellation);
        }
    }
}
