using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A subscription of a topic: a queue, and the rules that say what comes into it.</summary>
internal sealed class Subscription(MessageStore store, DateTimeOffset created, QueueSettings settings, MessageQueue queue)
{
    // Replaced under the store's gate, read without it.
    private volatile IReadOnlyList<SubscriptionRule> _rules = [SubscriptionRule.Default(created)];

    /// <summary>As they were asked for, without what the topic demands.</summary>
    public QueueSettings Settings { get; private set; } = settings;

    /// <summary>As it is shown, with the rules of this moment if they are others than a new one has.</summary>
    public QueueSettings Described =>
        Settings with
        {
            Rules = _rules is [{ Name: SubscriptionRule.DefaultName, Filter: ConstantFilter { IsTrue: true } }]
                ? null
                : [.. _rules.Select(static rule => new FirstRule(rule.Name, rule.Filter))],
        };

    public DateTimeOffset Created { get; } = created;

    public MessageQueue Queue { get; } = queue;

    public IReadOnlyList<SubscriptionRule> Rules => _rules;

    /// <summary>
    /// Whether one of its rules takes a message. A rule for which the message has too few steps left takes none. Log and journal name the first of them.
    /// </summary>
    /// <exception cref="IOException">That could not be written to the journal.</exception>
    public bool Takes(FilteredMessage message)
    {
        var (takes, failures) = (false, 0);
        string? first = null;
        foreach (var rule in _rules)
        {
            try
            {
                if (takes = rule.Filter.Takes(message))
                {
                    break;
                }
            }
            catch (RuleBudgetException)
            {
                first ??= rule.Name;
                failures++;
            }
        }

        if (first is not null)
        {
            store.Report(new RulesNotEvaluated(Queue.Name, message.Content.MessageId, first) { Count = failures });
        }

        return takes;
    }

    /// <summary>Gives a new one the rules that it begins with. Under the store's gate.</summary>
    /// <exception cref="IOException">They could not be written to the log.</exception>
    public void Begin(IReadOnlyList<FirstRule> rules) => SetRules([.. rules.Select(rule => new SubscriptionRule(rule.Name, Created, rule.Filter))]);

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

    /// <summary>Lets another rule take the place of one, in one step for messages and in one record. When that fails, the one stays.</summary>
    /// <param name="name">The one.</param>
    /// <param name="add">Adds the other. False or an exception when it does not.</param>
    /// <returns>False when there is no rule of that name, or no other took its place.</returns>
    public bool TryReplace(string name, Func<bool> add)
    {
        lock (store.Gate)
        {
            var before = _rules;
            _rules = [.. before.Where(rule => !IsNamed(rule, name))];
            var replaced = false;
            try
            {
                replaced = _rules.Count < before.Count && add();
            }
            finally
            {
                _rules = replaced ? _rules : before;
            }

            return replaced;
        }
    }

    /// <summary>Takes other settings over. Its queue is told by the topic. Under the store's gate.</summary>
    public void Adopt(QueueSettings settings) => Settings = settings;

    public void RestoreRules(IReadOnlyList<SubscriptionRule> rules) => _rules = rules;

    private void SetRules(IReadOnlyList<SubscriptionRule> rules)
    {
        store.ThrowIfDeleted();
        store.Log?.Rules(Queue.Id, rules);
        Queue.LastUse.Note(store.Clock.GetUtcNow());
        _rules = rules;
    }

    private static bool IsNamed(SubscriptionRule rule, string name) => string.Equals(rule.Name, name, StringComparison.OrdinalIgnoreCase);
}

/// <summary>A rule of a subscription: it gets the messages that the filter of at least one of its rules takes.</summary>
internal sealed record SubscriptionRule(string Name, DateTimeOffset Created, RuleFilter Filter)
{
    public const string DefaultName = "$Default";

    /// <summary>A new subscription has this one rule, which takes everything.</summary>
    public static SubscriptionRule Default(DateTimeOffset created) => new(DefaultName, created, ConstantFilter.True);
}
