using System.Reflection;
using EventHubThroughput.Clients;
using Xunit;
using Xunit.Sdk;
using Xunit.v3;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A row for each family of clients: its name, then what is given here.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
internal sealed class EachFamilyAttribute(params object[] values) : DataAttribute
{
    public IReadOnlyList<object> Values => values;

    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new([new TheoryDataRow([ClientFamily.BuiltIn.Name, .. values]), OfficialBuild.Row([ClientFamily.Official, .. values])]);

    public override bool SupportsDiscoveryEnumeration() => true;
}

/// <summary>A row for each family of clients with every strategy that is unlike the others (foreachasync is combined): first the family, then the strategy.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class EachStrategyAttribute : DataAttribute
{
    private static readonly string[] Shared = ["baseline", "inloop", "outloop", "combined", "pipelined", "keyed"];

    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new([
            .. Shared.Select(static strategy => new TheoryDataRow(ClientFamily.BuiltIn.Name, strategy)),
            .. Shared.Append("outloop-dasync").Select(static strategy => OfficialBuild.Row(ClientFamily.Official, strategy)),
        ]);

    public override bool SupportsDiscoveryEnumeration() => true;
}
