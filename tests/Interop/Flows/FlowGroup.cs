using System.Reflection;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>Flows that run in one process of a client. Every fact of the test class is one of them, under the same name.</summary>
/// <param name="Tests">The test class.</param>
/// <param name="Client">The client.</param>
/// <param name="RunAsync">Runs them all, once.</param>
internal sealed record FlowGroup(Type Tests, FlowClient Client, Func<FlowGroup, CancellationToken, Task<FlowReport>> RunAsync)
{
    /// <summary>Flows and the features they speak for.</summary>
    public IReadOnlyList<(string Flow, string Feature)> Flows { get; } =
    [
        .. Tests
            .GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(static method => method.GetCustomAttribute<FactAttribute>() is not null)
            .Select(static method =>
                (method.Name, method.GetCustomAttribute<FeatureAttribute>()?.Name ?? throw new InvalidOperationException($"{method.Name} names no feature"))
            ),
    ];
}
