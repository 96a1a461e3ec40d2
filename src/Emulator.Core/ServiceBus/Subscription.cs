using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A subscription of a topic: a queue, and the rules that select its messages.</summary>
internal sealed class Subscription(MessageStore store, DateTimeOffset created, QueueSettings settings, MessageQueue queue)
{
    // Replaced under the gate of the store, read without it.
    private volatile IReadOnlyList<SubscriptionRule> _rules = [SubscriptionRule.Default(created)];

    /// <summary>The requested settings, without those of the topic.</summary>
    public QueueSettings Settings { get; private set; } = settings;

    /// <summary>The settings for clients, with the current rules if they differ from those of a new subscription.</summary>
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
    /// Whether one of its rules accepts a message. A rule does not accept if the message has too few steps left. Log and journal name the first such rule.
    /// </summary>
    /// <exception cref="IOException">The record could not be written to the journal.</exception>
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

    /// <summary>Sets the first rules of a new subscription. Called under the gate of the store.</summary>
    /// <exception cref="IOException">The rules could not be written to the log.</exception>
    public void Begin(IReadOnlyList<FirstRule> rules) => SetRules([.. rules.Select(rule => new SubscriptionRule(rule.Name, Created, rule.Filter))]);

    /// <returns>False when a rule has this name.</returns>
    /// <exception cref="IOException">The rule could not be written to the log.</exception>
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

    /// <returns>False when no rule has this name.</returns>
    /// <exception cref="IOException">The removal could not be written to the log.</exception>
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

    /// <summary>Replaces a rule by another one, in one step for messages and in one record. If that fails, the old rule stays.</summary>
    /// <param name="name">The name of the old rule.</param>
    /// <param name="add">Adds the new rule. Returns false or throws when it does not.</param>
    /// <returns>False when no rule has this name, or no rule was added.</returns>
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

    /// <summary>Sets the settings. The topic updates its queue. Called under the gate of the store.</summary>
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

/// <summary>A rule of a subscription. The subscription receives the messages that at least one of its rules accepts.</summary>
internal sealed record SubscriptionRule(string Name, DateTimeOffset Created, RuleFilter Filter)
{
    public const string DefaultName = "$Default";

    /// <summary>The one rule of a new subscription, which accepts everything.</summary>
    public static SubscriptionRule Default(DateTimeOffset created) => new(DefaultName, created, ConstantFilter.True);
}
