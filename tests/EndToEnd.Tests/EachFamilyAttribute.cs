using System.Reflection;
using EventHubThroughput.Clients;
using EventHubThroughput.Strategies;
using Xunit;
using Xunit.Sdk;
using Xunit.v3;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A row for each family of clients: its name, then what is given here.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
internal sealed class EachFamilyAttribute(params object[] values) : DataAttribute
{
    /// <summary>The names of all families.</summary>
    public static IReadOnlyList<string> Families { get; } = [ClientFamily.Official, ClientFamily.BuiltIn.Name];

    public IReadOnlyList<object> Values => values;

    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new([.. Families.Select(family => new TheoryDataRow([family, .. values]))]);

    public override bool SupportsDiscoveryEnumeration() => true;
}

/// <summary>
/// A row for each safe strategy that is not like another, on the official clients, and for one of each shape on the built-in ones: first the family, then the
/// strategy.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class EachStrategyAttribute : DataAttribute
{
    // foreachasync is combined with other loops, a shard is a key of many names.
    private static readonly IReadOnlyList<string> Shared =
    [
        .. StrategyCatalog.Safe.Select(static strategy => strategy.Name).Except(["foreachasync", "keyed-shards"]),
    ];

    // In turn, concurrently and in batches. What a strategy promises does not depend on the clients.
    private static readonly IReadOnlyList<string> Shapes = ["baseline", "pipelined", "batched"];

    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new([.. Rows(ClientFamily.Official, Shared), .. Rows(ClientFamily.BuiltIn.Name, Shapes)]);

    public override bool SupportsDiscoveryEnumeration() => true;

    private static IEnumerable<TheoryDataRow> Rows(string family, IReadOnlyList<string> strategies) =>
        strategies.Select(strategy => new TheoryDataRow(family, strategy));
}
