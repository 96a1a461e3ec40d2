using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>
/// The messages of one queue, by number and in order of their numbers. New messages have the highest number, so keeping the order is cheap. Guarded by the gate
/// of the store.
/// </summary>
internal sealed class MessageIndex
{
    private readonly Dictionary<long, QueuedMessage> _messages = [];
    private readonly int[] _counts = new int[(int)MessageState.Gone + 1];
    private QueuedMessage? _first;
    private QueuedMessage? _last;
    private bool _ordered = true;

    public int Count => _messages.Count;

    /// <summary>Bytes of all contents, including shared ones.</summary>
    public long Bytes { get; private set; }

    public int GetCount(MessageState state) => _counts[(int)state];

    public QueuedMessage? Find(long sequence) => _messages.GetValueOrDefault(sequence);

    public void Add(QueuedMessage message)
    {
        _messages.Add(message.Sequence, message);
        _counts[(int)message.State]++;
        Bytes += message.Content.Length;
        if (_ordered)
        {
            Link(message);
        }
    }

    public void Remove(QueuedMessage message)
    {
        _messages.Remove(message.Sequence);
        _counts[(int)message.State]--;
        Bytes -= message.Content.Length;
        if (_ordered)
        {
            Unlink(message);
        }

        message.State = MessageState.Gone;
    }

    public void Change(QueuedMessage message, MessageState state)
    {
        _counts[(int)message.State]--;
        _counts[(int)state]++;
        message.State = state;
    }

    public void Change(QueuedMessage message, MessageContent content)
    {
        Bytes += content.Length - message.Content.Length;
        message.Content = content;
    }

    /// <summary>The messages from a number on, in order. The index must not change during the enumeration.</summary>
    public IEnumerable<QueuedMessage> From(long sequence)
    {
        var message = _last is null || _last.Sequence < sequence ? null : _messages.GetValueOrDefault(sequence) ?? _first;
        for (; message is not null; message = message.Next)
        {
            if (message.Sequence >= sequence)
            {
                yield return message;
            }
        }
    }

    /// <summary>The messages in any order.</summary>
    public IReadOnlyCollection<QueuedMessage> All => _messages.Values;

    /// <summary>Until <see cref="Order"/> is called, messages may come in any order, as in the replay of a log.</summary>
    public void Unorder() => _ordered = false;

    public void Order()
    {
        if (_ordered)
        {
            return;
        }

        _ordered = true;
        foreach (var message in _messages.Values.OrderBy(static message => message.Sequence))
        {
            Link(message);
        }
    }

    private void Link(QueuedMessage message)
    {
        message.Previous = _last;
        if (_last is null)
        {
            _first = message;
        }
        else
        {
            _last.Next = message;
        }

        _last = message;
    }

    private void Unlink(QueuedMessage message)
    {
        if (message.Previous is null)
        {
            _first = message.Next;
        }
        else
        {
            message.Previous.Next = message.Next;
        }

        if (message.Next is null)
        {
            _last = message.Previous;
        }
        else
        {
            message.Next.Previous = message.Previous;
        }

        message.Previous = null;
        message.Next = null;
    }
}
