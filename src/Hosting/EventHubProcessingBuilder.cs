using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Hosting.Handling;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace EventHubThroughput.Hosting;

/// <summary>Sets the destinations of the events of one processing of a host, and its options. Used by one thread while the services are registered.</summary>
public sealed class EventHubProcessingBuilder
{
    private readonly ProcessingRegistration registration;

    internal EventHubProcessingBuilder(IServiceCollection services, ProcessingRegistration registration)
    {
        Services = services;
        this.registration = registration;
    }

    /// <summary>The name of the processing.</summary>
    public string Name => registration.Name;

    /// <summary>The services of the host.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Passes every event to a method.</summary>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public EventHubProcessingBuilder Handle(Func<ReceivedEvent, CancellationToken, ValueTask> handler, string name = "handler") =>
        WriteTo(SinkDescriptor.Of(handler, name));

    /// <summary>Passes every event to a handler of this type, which the host's services create in a new scope for every event.</summary>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public EventHubProcessingBuilder Handle<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(string name = "handler")
        where THandler : class, IEventHandler
    {
        Services.TryAddScoped<THandler>();
        return Add(provider =>
            SinkDescriptor.Of(Scoped<THandler, ReceivedEvent>(provider, static (handler, one, token) => handler.HandleAsync(one, token)), name)
        );
    }

    /// <summary>Passes every event to a method, with the value of its JSON body.</summary>
    /// <typeparam name="T">The type of the JSON's value.</typeparam>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="type">The contract, from a source-generated <see cref="System.Text.Json.Serialization.JsonSerializerContext"/>.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    /// <remarks>
    /// An event whose body is not valid for the type fails for good at its first try: <see cref="ProcessingOptions.OnPoison"/> decides about it.
    /// </remarks>
    public EventHubProcessingBuilder Handle<T>(Func<EventContext<T>, CancellationToken, ValueTask> handler, JsonTypeInfo<T> type, string name = "handler")
        where T : notnull => WriteTo(SinkDescriptor.Of(handler, type, name));

    /// <inheritdoc cref="Handle{T}(Func{EventContext{T}, CancellationToken, ValueTask}, JsonTypeInfo{T}, string)"/>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="options">The options. Null for <see cref="JsonSerializerOptions.Default"/>. They cannot be changed afterwards.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    [RequiresUnreferencedCode(JsonTypes.NeedsReflection)]
    [RequiresDynamicCode(JsonTypes.NeedsReflection)]
    public EventHubProcessingBuilder Handle<T>(
        Func<EventContext<T>, CancellationToken, ValueTask> handler,
        JsonSerializerOptions? options = null,
        string name = "handler"
    )
        where T : notnull => Handle(handler, JsonTypes.Of<T>(options), name);

    /// <summary>Passes every event and the value of its JSON body to a handler of this type, which the host's services create for every event.</summary>
    /// <typeparam name="THandler">The handler.</typeparam>
    /// <typeparam name="T">The type of the JSON's value.</typeparam>
    /// <param name="type">The contract, from a source-generated <see cref="System.Text.Json.Serialization.JsonSerializerContext"/>.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    /// <remarks>
    /// An event whose body is not valid for the type fails for good at its first try: <see cref="ProcessingOptions.OnPoison"/> decides about it.
    /// </remarks>
    public EventHubProcessingBuilder Handle<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler, T>(
        JsonTypeInfo<T> type,
        string name = "handler"
    )
        where THandler : class, IEventHandler<T>
        where T : notnull
    {
        Services.TryAddScoped<THandler>();
        return Add(provider =>
            SinkDescriptor.Of(Scoped<THandler, EventContext<T>>(provider, static (handler, one, token) => handler.HandleAsync(one, token)), type, name)
        );
    }

    /// <inheritdoc cref="Handle{THandler, T}(JsonTypeInfo{T}, string)"/>
    /// <param name="options">The options. Null for <see cref="JsonSerializerOptions.Default"/>. They cannot be changed afterwards.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    [RequiresUnreferencedCode(JsonTypes.NeedsReflection)]
    [RequiresDynamicCode(JsonTypes.NeedsReflection)]
    public EventHubProcessingBuilder Handle<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler, T>(
        JsonSerializerOptions? options = null,
        string name = "handler"
    )
        where THandler : class, IEventHandler<T>
        where T : notnull => Handle<THandler, T>(JsonTypes.Of<T>(options), name);

    /// <summary>Writes every event to a sink as well.</summary>
    /// <param name="sink">The sink. The built-in ones are in <see cref="SinkCatalog"/>.</param>
    public EventHubProcessingBuilder WriteTo(SinkDescriptor sink)
    {
        ArgumentNullException.ThrowIfNull(sink);
        return Add(_ => sink);
    }

    /// <summary>
    /// Writes every event to a sink of this type as well, which may be an <see cref="IBatchSink{TEvent}"/>. It is created once from the host's services. Its
    /// constructor may also ask for a <see cref="SinkContext"/>. It is disposed of when the processing ends.
    /// </summary>
    public EventHubProcessingBuilder WriteTo<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TSink>()
        where TSink : class, ISink<ReceivedEvent> =>
        Add(provider => new SinkDescriptor(typeof(TSink).Name, "A sink of the application.", context => HostedSinks.Create<TSink>(provider, context)));

    /// <summary>Changes the options after the configuration section has set them.</summary>
    /// <param name="configure">Changes them. Called at the first access, after those given before.</param>
    public EventHubProcessingBuilder Configure(Action<EventHubHostingOptions> configure)
    {
        Services.Configure(Name, configure);
        return this;
    }

    /// <summary>
    /// Changes options that a configuration cannot represent: a custom strategy, observers, a seed. Called after all other options are set.
    /// </summary>
    /// <param name="change">Returns the changed options, <c>options with { ... }</c>.</param>
    public EventHubProcessingBuilder ChangeProcessing(Func<ProcessingOptions, ProcessingOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var before = registration.Change;
        registration.Change = options => change(before(options));
        return this;
    }

    /// <summary>Uses another client family than the official one. It uses no clients from the services.</summary>
    /// <param name="clients">The family.</param>
    public EventHubProcessingBuilder UseClients(ClientFamily clients)
    {
        ArgumentNullException.ThrowIfNull(clients);
        registration.Clients = clients;
        return this;
    }

    private static Func<TEvent, CancellationToken, ValueTask> Scoped<THandler, TEvent>(
        IServiceProvider provider,
        Func<THandler, TEvent, CancellationToken, ValueTask> handle
    )
        where THandler : class => new ScopedHandler<THandler, TEvent>(provider.GetRequiredService<IServiceScopeFactory>(), handle).HandleAsync;

    private EventHubProcessingBuilder Add(Func<IServiceProvider, SinkDescriptor> sink)
    {
        registration.Sinks.Add(sink);
        return this;
    }
}
