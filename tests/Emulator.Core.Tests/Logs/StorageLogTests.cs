using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Logs;

/// <summary>What the disk refuses and what fails in the background is in the log, with its cause.</summary>
public sealed class StorageLogTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-log").FullName;
    private readonly LogRecorder _log = new();

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _log.Dispose();
    }

    [Fact]
    public void A_record_that_cannot_be_written_or_taken_back()
    {
        var log = Open();
        var at = log.Append(new byte[] { 1 });
        log.Dispose();
        Assert.ThrowsAny<Exception>(() => log.Append(new byte[] { 2 }));
        Assert.ThrowsAny<Exception>(() => log.Retract(at));
        Assert.Equal(["RecordNotWritten", "RecordNotRetracted"], _log.Lines.Select(static line => line.EventId.Name));
        Assert.All(_log.Lines, static line => Assert.Equal(LogLevel.Error, line.Level));
        Assert.All(_log.Lines, static line => Assert.NotNull(line.Exception?.StackTrace));
    }

    [Fact]
    public void A_failed_rewrite_of_a_log_is_logged()
    {
        using var log = Open();
        var cause = new IOException("the disk is full");
        Assert.Throws<IOException>(() => log.Rewrite(_ => throw cause));
        var line = Assert.Single(_log.Lines);
        Assert.Equal(("LogNotRewritten", LogLevel.Warning), (line.EventId.Name, line.Level));
        Assert.Same(cause, line.Exception);
    }

    [Fact]
    public void A_journal_that_cannot_be_written()
    {
        var journal = JournalWriter.Open(Path.Combine(_folder, "journal"), new VirtualClock());
        List<Exception> told = [];
        journal.WriteFailed = told.Add;
        journal.Write(new EmulatorStarted());
        Assert.Empty(told);
        journal.Dispose();
        Assert.Throws<IOException>(() => journal.Write(new EmulatorStarted()));
        Assert.Single(told);
    }

    [Fact]
    public void A_message_that_cannot_be_forwarded()
    {
        var cause = new InvalidOperationException("a bug");
        using var store = new MessageStore(
            "from",
            new MemoryBudget(1 << 20),
            new VirtualClock(),
            new ArrivalNumbers(recorded: null),
            _ => throw cause,
            _log.CreateLogger("storage")
        );
        var queue = store.AddQueue(0, "from", new QueueSettings("from") { ForwardTo = "to" });
        store.Start();
        queue.Send([Encoded.Content("a")], null, hops: 0);
        var line = Assert.Single(_log.Of("ForwardingFailed"));
        Assert.Equal("from: a message could not be forwarded and is retried", line.Message);
        Assert.Same(cause, line.Exception);
    }

    private EntityLog Open() =>
        EntityLog.Open(Path.Combine(_folder, "entity.log"), SyncPolicy.Never, static _ => { }, out _, log: _log.CreateLogger("storage"));
}
