using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.ServiceBus.Rules;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>A rule that a subscription begins with.</summary>
internal sealed record FirstRule(string Name, RuleFilter Filter);
