using System.Diagnostics.CodeAnalysis;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Hosting;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace EventHubThroughput.Processing;

/// <summary>Says where the events of a hosted processing go, and how. Used while the services are put together, by one thread.</summary>
public sealed class EventHubProcessingBuilder
{
    private readonly HostedSinks sinks;

    internal EventHubProcessingBuilder(IServiceCollection services, HostedSinks sinks)
    {
        Services = services;
        this.sinks = sinks;
    }

    /// <summary>The services of the host.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Hands every event to a method.</summary>
    /// <param name="handler">Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public EventHubProcessingBuilder Handle(Func<ReceivedEvent, CancellationToken, ValueTask> handler, string name = "handler") =>
        WriteTo(SinkDescriptor.Of(handler, name));

    /// <summary>Hands every event to a handler of this type, which the host's services make in a scope of its own for every event.</summary>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public EventHubProcessingBuilder Handle<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(string name = "handler")
        where THandler : class, IEventHandler
    {
        Services.TryAddScoped<THandler>();
        return Add(provider => SinkDescriptor.Of(new ScopedHandler<THandler>(provider.GetRequiredService<IServiceScopeFactory>()).HandleAsync, name));
    }

    /// <summary>Writes every event to a sink as well.</summary>
    /// <param name="sink">The sink; the built-in ones are in <see cref="SinkCatalog"/>.</param>
    public EventHubProcessingBuilder WriteTo(SinkDescriptor sink)
    {
        ArgumentNullException.ThrowIfNull(sink);
        return Add(_ => sink);
    }

    /// <summary>
    /// Writes every event to a sink of this type as well, an <see cref="IBatchSink{TEvent}"/> perhaps. It is made once, with what its constructor
    /// asks of the host's services and with a <see cref="SinkContext"/> if it asks for that, and disposed of when the processing ends.
    /// </summary>
    public EventHubProcessingBuilder WriteTo<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TSink>()
        where TSink : class, ISink<ReceivedEvent> =>
        Add(provider => new SinkDescriptor(typeof(TSink).Name, "A sink of the application's own.", context => HostedSinks.Create<TSink>(provider, context)));

    /// <summary>Changes the options.</summary>
    /// <param name="configure">Changes them; called when they are first asked for, after those given before.</param>
    public EventHubProcessingBuilder Configure(Action<EventHubHostingOptions> configure)
    {
        Services.Configure(configure);
        return this;
    }

    private EventHubProcessingBuilder Add(Func<IServiceProvider, SinkDescriptor> sink)
    {
        sinks.Add(sink);
        return this;
    }
}
