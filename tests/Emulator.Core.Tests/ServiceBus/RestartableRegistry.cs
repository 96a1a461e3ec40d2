using EventHubThroughput.Emulator.Core.Tests.Storage;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Queues and topics in a separate folder, which can be restarted from the content of the disk at any moment.</summary>
internal sealed class RestartableRegistry : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-queues").FullName;
    private readonly bool _leavesMemory;
    private DataDirectory _data;

    public RestartableRegistry(bool leavesMemory = false)
    {
        _leavesMemory = leavesMemory;
        (_data, Budget, Registry) = Open();
    }

    public VirtualClock Clock { get; } = new();

    public MemoryBudget Budget { get; private set; }

    public ServiceBusRegistry Registry { get; private set; }

    /// <summary>Bytes of all logs.</summary>
    public long DiskBytes => Directory.EnumerateFiles(_folder, "*.log", SearchOption.AllDirectories).Sum(static file => new FileInfo(file).Length);

    public void Restart()
    {
        Registry.Dispose();
        _data.Dispose();
        (_data, Budget, Registry) = Open();
    }

    /// <summary>As a process that died in the middle of a write leaves the log.</summary>
    public void RestartWithTornEnd(string kind, string name, int bytes)
    {
        Registry.Dispose();
        _data.Dispose();
        using (var file = File.OpenWrite(Path.Combine(_folder, kind, $"{name}.log")))
        {
            file.SetLength(file.Length - bytes);
        }

        (_data, Budget, Registry) = Open();
    }

    /// <summary>A folder is where a rewritten log would begin: the system refuses that, and nothing else.</summary>
    public void KeepFromCompacting(string kind, string name) => Directory.CreateDirectory(Path.Combine(_folder, kind, $"{name}.log.new"));

    public void Dispose()
    {
        Registry.Dispose();
        _data.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private (DataDirectory Data, MemoryBudget Budget, ServiceBusRegistry Registry) Open()
    {
        var data = DataDirectory.Open(_folder, SyncPolicy.Never, Clock);
        var budget = _leavesMemory ? SpillingMemory.Create() : new MemoryBudget(1L << 30);
        return (data, budget, new ServiceBusRegistry(budget, Clock, data));
    }
}
