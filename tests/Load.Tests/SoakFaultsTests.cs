using System.Text;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Load.Tests;

/// <summary>What the consumer's soak arms must be faults of the catalogue that a consumer survives.</summary>
public sealed class SoakFaultsTests
{
    private static readonly string[] Deadly = ["F3", "F7-long", "F8b", "F8b-unauthorized", "F12", "F16", "F18", "F24", "no-token"];

    public static TheoryData<string> Rules => [.. SoakFaults.Rules];

    [Theory]
    [MemberData(nameof(Rules))]
    public void Each_turn_arms_one_known_fault(string rule)
    {
        var fault = Assert.Single(FaultReader.Read(SettingsDocument.Parse("rule", Encoding.UTF8.GetBytes(rule))));

        Assert.Equal(SoakFaults.GetName(rule), fault.Name);
        Assert.Contains(fault.Name, FaultCatalogue.Names);
        Assert.DoesNotContain(fault.Name, Deadly);
    }

    [Fact]
    public void No_fault_has_two_turns() => Assert.Equal(SoakFaults.Rules.Count, SoakFaults.Rules.Select(SoakFaults.GetName).Distinct().Count());
}
