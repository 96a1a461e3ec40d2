using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>A queue in its simplest form: a sorted list, searched for the next due message.</summary>
internal sealed class QueueModel(QueueSettings settings, DateTimeOffset start)
{
    private readonly Dictionary<string, DateTimeOffset> _used = [];
    private long _lastSequence;

    public DateTimeOffset Now { get; private set; } = start;

    public SortedDictionary<long, Message> Messages { get; } = [];

    /// <summary>Ids and reasons, in no order.</summary>
    public List<(string Id, string? Reason, int Count)> Dead { get; } = [];

    public Message? FirstAvailable => Messages.Values.FirstOrDefault(static message => message is { Token: null, IsDeferred: false, Due: null });

    /// <returns>The number, or 0 for a duplicate.</returns>
    public long Send(string id, TimeSpan? life, TimeSpan? delay)
    {
        if (settings.DuplicateDetection is { } window)
        {
            if (_used.TryGetValue(id, out var used) && Now - used < window)
            {
                return 0;
            }

            _used[id] = Now;
        }

        return Add(new Message(id, life) { Due = delay is null ? null : Now + delay });
    }

    public void Lock(Message message, Guid token)
    {
        message.Token = token;
        message.Until = Now + settings.LockDuration;
    }

    public void Return(Message message)
    {
        message.Token = null;
        Settle();
    }

    public void Fail(Message message)
    {
        CountFailure(message);
        Settle();
    }

    public void Kill(Message message, string? reason)
    {
        Messages.Remove(message.Sequence);
        Dead.Add((message.Id, reason, message.Count));
    }

    /// <summary>A deferred message is looked at only on request.</summary>
    public bool ExpireIfOver(Message message)
    {
        if (message.Expires is null || message.Expires > Now)
        {
            return false;
        }

        Expire(message);
        return true;
    }

    public void Restart()
    {
        foreach (var message in Messages.Values)
        {
            message.Token = null;
        }

        Settle();
    }

    public void Advance(TimeSpan time)
    {
        var end = Now + time;
        while (Messages.Values.Select(NextEvent).Min() is { } next && next <= end)
        {
            Now = next > Now ? next : Now;
            Settle();
        }

        Now = end;
    }

    private static DateTimeOffset? NextEvent(Message message) =>
        message switch
        {
            { Due: { } due } => due,
            { Token: not null } => message.Until,
            { IsDeferred: true } => null,
            _ => message.Expires,
        };

    private long Add(Message message)
    {
        message.Sequence = ++_lastSequence;
        message.Expires =
            message.Due is null && (message.Life ?? settings.TimeToLive) is { } life
                ? Now + (settings.TimeToLive is { } most && most < life ? most : life)
                : null;
        Messages.Add(message.Sequence, message);
        return message.Sequence;
    }

    private void CountFailure(Message message)
    {
        message.Token = null;
        message.Count++;
        if (message.Count >= settings.MaximumDeliveryCount)
        {
            Kill(message, "MaxDeliveryCountExceeded");
        }
    }

    private void Expire(Message message)
    {
        Messages.Remove(message.Sequence);
        if (settings.DeadLetterExpired)
        {
            Dead.Add((message.Id, "TTLExpiredException", message.Count));
        }
    }

    private void Settle()
    {
        foreach (
            var message in Messages
                .Values.Where(message => message.Token is not null && message.Until <= Now)
                .OrderBy(static message => message.Until)
                .ToArray()
        )
        {
            CountFailure(message);
        }

        foreach (var message in Messages.Values.Where(message => message is { Token: null, IsDeferred: false } && message.Expires <= Now).ToArray())
        {
            Expire(message);
        }

        foreach (var message in Messages.Values.Where(message => message.Due <= Now).OrderBy(static message => (message.Due, message.Sequence)).ToArray())
        {
            Messages.Remove(message.Sequence);
            Add(new Message(message.Id, message.Life));
        }
    }

    internal sealed class Message(string id, TimeSpan? life)
    {
        public string Id { get; } = id;

        public TimeSpan? Life { get; } = life;

        public long Sequence { get; set; }

        public Guid? Token { get; set; }

        public DateTimeOffset Until { get; set; }

        public DateTimeOffset? Due { get; set; }

        public DateTimeOffset? Expires { get; set; }

        public bool IsDeferred { get; set; }

        public int Count { get; set; }
    }
}
