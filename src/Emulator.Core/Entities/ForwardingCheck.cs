using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Checks that messages are forwarded to existing entities and not in a circle.</summary>
internal sealed class ForwardingCheck
{
    private readonly List<(SettingGroup Group, string From, string Member, string To)> _asked = [];
    private readonly Dictionary<string, HashSet<string>> _next = new(StringComparer.OrdinalIgnoreCase);

    public ForwardingCheck(EntitySet known)
    {
        foreach (var queue in known.Queues)
        {
            Link(queue.Name, queue.ForwardTo);
        }

        foreach (var topic in known.Topics)
        {
            foreach (var subscription in topic.Subscriptions)
            {
                Link(topic.Name, subscription.ForwardTo);
            }
        }
    }

    /// <param name="group">The group that receives the problems.</param>
    /// <param name="from">The queue, or the topic of a subscription.</param>
    /// <param name="settings">The settings with the targets.</param>
    public void Add(SettingGroup group, string from, QueueSettings settings)
    {
        if (settings.ForwardTo is { } to)
        {
            _asked.Add((group, from, "forwardTo", to));
            Link(from, to);
        }

        if (settings.ForwardDeadLettersTo is { } grave)
        {
            _asked.Add((group, from, "forwardDeadLettersTo", grave));
        }
    }

    public void Check(IReadOnlySet<string> sinks)
    {
        foreach (var (group, from, member, to) in _asked)
        {
            if (!sinks.Contains(to))
            {
                group.Find(member)!.Refuse("no queue and no topic of this name");
            }
            else if (string.Equals(from, to, StringComparison.OrdinalIgnoreCase))
            {
                group.Find(member)!.Refuse("forwards to itself");
            }
            else if (member == "forwardTo" && Leads(to, from))
            {
                group.Find(member)!.Refuse($"forwards in a circle, '{to}' leads back to '{from}'");
            }
        }
    }

    private void Link(string from, string? to)
    {
        if (to is null)
        {
            return;
        }

        if (!_next.TryGetValue(from, out var targets))
        {
            _next[from] = targets = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        }

        targets.Add(to);
    }

    private bool Leads(string from, string to)
    {
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        Stack<string> open = new([from]);
        while (open.TryPop(out var name))
        {
            if (string.Equals(name, to, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }

            if (seen.Add(name) && _next.TryGetValue(name, out var targets))
            {
                foreach (var target in targets)
                {
                    open.Push(target);
                }
            }
        }

        return false;
    }
}
