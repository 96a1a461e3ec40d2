using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Hosting.Handling;

/// <summary>The sinks that were registered with the services.</summary>
internal sealed class HostedSinks
{
    /// <summary>The most sinks of one processing.</summary>
    public const int Most = 31;

    private readonly List<Func<IServiceProvider, SinkDescriptor>> sinks = [];

    public int Count => sinks.Count;

    public void Add(Func<IServiceProvider, SinkDescriptor> sink) => sinks.Add(sink);

    public IReadOnlyList<SinkDescriptor> Describe(IServiceProvider provider) => [.. sinks.Select(sink => sink(provider))];

    /// <summary>Creates a sink, with the context only if its constructor asks for one: the activator refuses unused arguments.</summary>
    public static ISink<ReceivedEvent> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TSink>(
        IServiceProvider provider,
        SinkContext context
    )
        where TSink : class, ISink<ReceivedEvent> =>
        typeof(TSink).GetConstructors().Any(static made => made.GetParameters().Any(static parameter => parameter.ParameterType == typeof(SinkContext)))
            ? ActivatorUtilities.CreateInstance<TSink>(provider, context)
            : ActivatorUtilities.CreateInstance<TSink>(provider);
}
