namespace EventHubThroughput.Emulator.Rules;

/// <summary>What a subscription's rules are limited to, as the service has it.</summary>
internal static class RuleLimits
{
    /// <summary>Characters of a rule's name.</summary>
    public const int LongestName = 50;

    /// <summary>Rules of one subscription.</summary>
    public const int MostRules = 2_000;
}
