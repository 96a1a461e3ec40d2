using System.Text;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The recent message ids, each kept for the length of the window from its first use. Guarded by the gate of the store.</summary>
internal sealed class DuplicateWindow(TimeSpan length, MemoryBudget budget)
{
    private readonly HashSet<string> _ids = new(StringComparer.Ordinal);
    private readonly Queue<(string Id, DateTimeOffset Used)> _order = new();

    public TimeSpan Length { get; set; } = length;

    /// <summary>The approximate bytes of the ids in a log.</summary>
    public long Bytes { get; private set; }

    public IReadOnlyCollection<(string Id, DateTimeOffset Used)> Ids => _order;

    public static long GetCost(string id) => MemoryBudget.EntryOverhead + (sizeof(char) * id.Length);

    public bool Contains(string id) => _ids.Contains(id);

    /// <summary>Removes ids that are older than the window.</summary>
    public void Pass(DateTimeOffset now)
    {
        while (_order.TryPeek(out var oldest) && now - oldest.Used >= Length)
        {
            _order.Dequeue();
            _ids.Remove(oldest.Id);
            Bytes -= GetBytes(oldest.Id);
            budget.Release(GetCost(oldest.Id));
        }
    }

    /// <summary>Adds an id whose memory was reserved.</summary>
    public void Remember(string id, DateTimeOffset used)
    {
        if (!_ids.Add(id))
        {
            budget.Release(GetCost(id));
            return;
        }

        _order.Enqueue((id, used));
        Bytes += GetBytes(id);
    }

    /// <summary>Releases all memory.</summary>
    public void Clear() => Pass(DateTimeOffset.MaxValue);

    private static long GetBytes(string id) => sizeof(int) + sizeof(long) + Encoding.UTF8.GetByteCount(id);
}
