using EventHubThroughput.Amqp;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>The reply links of one connection. Safe for several threads.</summary>
internal sealed class ReplyLinks
{
    // Clients have one pair of request links per entity that they manage. Each link may queue requests.
    private const int MaximumRequesters = 64;

    private readonly Lock _gate = new();

    // Guarded by the gate.
    private readonly List<(string Path, AmqpSender Link)> _links = [];
    private int _requesters;

    /// <summary>Counts a request link. Returns false when the connection has the maximum number.</summary>
    public bool TryAddRequester()
    {
        lock (_gate)
        {
            if (_requesters == MaximumRequesters)
            {
                return false;
            }

            _requesters++;
            return true;
        }
    }

    public void RemoveRequester()
    {
        lock (_gate)
        {
            _requesters--;
        }
    }

    public void Add(string path, AmqpSender link)
    {
        lock (_gate)
        {
            _links.Add((path, link));
        }
    }

    public void Remove(AmqpSender link)
    {
        lock (_gate)
        {
            _links.RemoveAll(entry => entry.Link == link);
        }
    }

    /// <summary>
    /// Finds the link of a request's reply-to: by its target address (.NET), else by its name (JavaScript), else the only link of the request's session.
    /// </summary>
    public AmqpSender? Find(AmqpSession session, string path, string? replyTo)
    {
        lock (_gate)
        {
            var links = _links.Where(entry => string.Equals(entry.Path, path, StringComparison.OrdinalIgnoreCase)).Select(static entry => entry.Link).ToList();
            if (
                replyTo is not null
                && (links.Find(link => link.RemoteAttach.Target?.Address == replyTo) ?? links.Find(link => link.Name == replyTo)) is { } named
            )
            {
                return named;
            }

            var ofSession = links.FindAll(link => link.Session == session);
            return ofSession.Count == 1 ? ofSession[0] : null;
        }
    }
}
