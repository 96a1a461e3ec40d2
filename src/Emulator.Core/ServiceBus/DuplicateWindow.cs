using System.Text;
using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>The message ids of the last while, each kept for the window's length from its first use. Under the store's gate.</summary>
internal sealed class DuplicateWindow(TimeSpan length, MemoryBudget budget)
{
    private readonly HashSet<string> _ids = new(StringComparer.Ordinal);
    private readonly Queue<(string Id, DateTimeOffset Used)> _order = new();

    public TimeSpan Length { get; set; } = length;

    /// <summary>What the ids take in a log, roughly.</summary>
    public long Bytes { get; private set; }

    public IReadOnlyCollection<(string Id, DateTimeOffset Used)> Ids => _order;

    public static long CostOf(string id) => MemoryBudget.EntryOverhead + (sizeof(char) * id.Length);

    public bool Contains(string id) => _ids.Contains(id);

    /// <summary>Forgets what was used too long ago.</summary>
    public void Pass(DateTimeOffset now)
    {
        while (_order.TryPeek(out var oldest) && now - oldest.Used >= Length)
        {
            _order.Dequeue();
            _ids.Remove(oldest.Id);
            Bytes -= BytesOf(oldest.Id);
            budget.Release(CostOf(oldest.Id));
        }
    }

    /// <summary>Remembers an id whose memory was reserved.</summary>
    public void Remember(string id, DateTimeOffset used)
    {
        if (!_ids.Add(id))
        {
            budget.Release(CostOf(id));
            return;
        }

        _order.Enqueue((id, used));
        Bytes += BytesOf(id);
    }

    /// <summary>Gives all memory back.</summary>
    public void Clear() => Pass(DateTimeOffset.MaxValue);

    private static long BytesOf(string id) => sizeof(int) + sizeof(long) + Encoding.UTF8.GetByteCount(id);
}
