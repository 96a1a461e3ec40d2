using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A rule of a subscription: it gets the messages that the filter of at least one of its rules takes.</summary>
internal sealed record SubscriptionRule(string Name, DateTimeOffset Created, RuleFilter Filter)
{
    public const string DefaultName = "$Default";

    /// <summary>A new subscription has this one rule, which takes everything.</summary>
    public static SubscriptionRule Default(DateTimeOffset created) => new(DefaultName, created, ConstantFilter.True);
}
