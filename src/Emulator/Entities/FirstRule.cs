using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>A rule that a subscription begins with.</summary>
internal sealed record FirstRule(string Name, RuleFilter Filter);
