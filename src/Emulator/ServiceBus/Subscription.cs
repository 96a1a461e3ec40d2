using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A subscription of a topic: a queue, and the rules that say what comes into it.</summary>
internal sealed class Subscription(MessageStore store, DateTimeOffset created, QueueSettings settings, MessageQueue queue)
{
    // Replaced under the store's gate, read without it.
    private volatile IReadOnlyList<SubscriptionRule> _rules = [SubscriptionRule.Default(created)];

    /// <summary>As they were asked for, without what the topic demands.</summary>
    public QueueSettings Settings { get; } = settings;

    public DateTimeOffset Created { get; } = created;

    public MessageQueue Queue { get; } = queue;

    public IReadOnlyList<SubscriptionRule> Rules => _rules;

    public bool Takes(FilteredMessage message)
    {
        foreach (var rule in _rules)
        {
            if (rule.Filter.Takes(message))
            {
                return true;
            }
        }

        return false;
    }

    /// <returns>False when there is a rule of that name.</returns>
    /// <exception cref="IOException">It could not be written to the log.</exception>
    public bool TryAdd(string name, RuleFilter filter)
    {
        lock (store.Gate)
        {
            if (_rules.Any(rule => IsNamed(rule, name)))
            {
                return false;
            }

            SetRules([.. _rules, new SubscriptionRule(name, store.Clock.GetUtcNow(), filter)]);
            return true;
        }
    }

    /// <returns>False when there is no rule of that name.</returns>
    /// <exception cref="IOException">It could not be written to the log.</exception>
    public bool TryRemove(string name)
    {
        lock (store.Gate)
        {
            if (!_rules.Any(rule => IsNamed(rule, name)))
            {
                return false;
            }

            SetRules([.. _rules.Where(rule => !IsNamed(rule, name))]);
            return true;
        }
    }

    public void RestoreRules(IReadOnlyList<SubscriptionRule> rules) => _rules = rules;

    private void SetRules(IReadOnlyList<SubscriptionRule> rules)
    {
        store.ThrowIfDeleted();
        store.Log?.Rules(Queue.Id, rules);
        _rules = rules;
    }

    private static bool IsNamed(SubscriptionRule rule, string name) => string.Equals(rule.Name, name, StringComparison.OrdinalIgnoreCase);
}
