using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Embedding;

/// <summary>A start that fails leaves no thread, timer, port or open file in the process of its caller.</summary>
[Collection<AloneCollection>]
public sealed class FailedStartTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("failed-start-").FullName;
    private readonly int _port = FreePort.Next();
    private readonly CountingTime _time = new();
    private readonly string[] _threads = Remains.Threads();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private EmulatorOptions Usual =>
        new()
        {
            EventHubsPort = _port,
            TimeProvider = _time,
            DataPath = Path.Combine(_folder, "data"),
            SpillPath = _folder,
            JournalPath = Path.Combine(_folder, "journal.jsonl"),
        };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public Task Without_the_folder_for_spilling() => FailAsync(Usual with { SpillPath = Path.Combine(_folder, "missing") }, EmulatorErrorKind.NotWritable);

    [Fact]
    public async Task With_a_damaged_queue()
    {
        await (await EmulatorHost.StartAsync(Usual, Cancellation)).DisposeAsync();
        var log = Path.Combine(_folder, "data", "queues", "queue.log");
        var bytes = await File.ReadAllBytesAsync(log, Cancellation);
        await File.WriteAllBytesAsync(log, [.. bytes[..10], (byte)~bytes[10], .. bytes[11..], .. bytes[8..]], Cancellation);

        await FailAsync(Usual, EmulatorErrorKind.InconsistentData);
    }

    [Fact]
    public async Task With_a_queue_under_the_name_of_another()
    {
        await (await EmulatorHost.StartAsync(Usual, Cancellation)).DisposeAsync();
        File.Copy(Path.Combine(_folder, "data", "queues", "queue.log"), Path.Combine(_folder, "data", "queues", "zebra.log"));

        await FailAsync(Usual, EmulatorErrorKind.InconsistentData);
    }

    [Fact]
    public Task With_more_containers_than_there_may_be() =>
        FailAsync(
            Usual with
            {
                DataPath = null,
                Entities = EntitySet.Default with { Containers = [.. Enumerable.Range(0, EntitySetReader.MostEntities + 1).Select(static i => $"c{i:0000}")] },
            },
            EmulatorErrorKind.InconsistentData
        );

    [Fact]
    public async Task With_a_port_in_use()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;

        await FailAsync(Usual with { AdminPort = port }, EmulatorErrorKind.PortInUse);
    }

    [Fact]
    public async Task With_a_port_in_use_and_all_in_memory()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;

        await FailAsync(Usual with { DataPath = null, AdminPort = port, TlsPort = 0 }, EmulatorErrorKind.PortInUse);

        Assert.Empty(Directory.GetFileSystemEntries(_folder));
    }

    private async Task FailAsync(EmulatorOptions options, EmulatorErrorKind expected)
    {
        var failure = await Assert.ThrowsAsync<EmulatorException>(() => EmulatorHost.StartAsync(options, Cancellation));

        Assert.Equal(expected, failure.Kind);
        Remains.AssertThreads(_threads);
        Assert.Equal(0, _time.Timers);
        Remains.AssertFree(IPAddress.Loopback, _port);
        Remains.AssertClosed(_folder);
    }
}
