using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Handling;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing;

/// <summary>
/// A sink's name and factory. Its position in the list of a run is its place. Options of a sink are captured by the factory: <c>new SinkDescriptor("webhook",
/// "Posts each event.", _ => new WebhookSink(options))</c>.
/// </summary>
/// <param name="Name">The name in metrics, results and dead letters: lower case, no blanks.</param>
/// <param name="Summary">One sentence for documents.</param>
/// <param name="Create">Creates the sink. A disposable sink is disposed of together with the processing.</param>
public sealed record SinkDescriptor(string Name, string Summary, Func<SinkContext, ISink<ReceivedEvent>> Create)
{
    /// <summary>Whether it writes to the queue or topic of the settings, which must then be set.</summary>
    public bool NeedsServiceBus { get; init; }

    internal ISink<ReceivedEvent> CreateIn(SinkContext context) => Create(context with { SinkName = Name });

    /// <summary>Creates a sink from a method of the caller.</summary>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    public static SinkDescriptor Of(Func<ReceivedEvent, CancellationToken, ValueTask> handler, string name = "handler") =>
        new(name, "A handler of the caller.", _ => new HandlerSink(name, handler));

    /// <summary>Creates a sink from a method of the caller, for events whose bodies are JSON.</summary>
    /// <typeparam name="T">The type of the JSON's value.</typeparam>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="type">The contract, from a source-generated <see cref="System.Text.Json.Serialization.JsonSerializerContext"/>.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    /// <remarks>
    /// An event whose body is not valid for the type fails for good at its first try: <see cref="ProcessingOptions.OnPoison"/> decides about it.
    /// </remarks>
    public static SinkDescriptor Of<T>(Func<EventContext<T>, CancellationToken, ValueTask> handler, JsonTypeInfo<T> type, string name = "handler")
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(handler);
        ArgumentNullException.ThrowIfNull(type);
        return Of(new JsonHandler<T>(handler, type).HandleAsync, name);
    }

    /// <inheritdoc cref="Of{T}(Func{EventContext{T}, CancellationToken, ValueTask}, JsonTypeInfo{T}, string)"/>
    /// <param name="handler">
    /// Handles an event: completes when that is done, throws when it is not. Called concurrently, and again after a failure or a crash.
    /// </param>
    /// <param name="options">The options. Null for <see cref="JsonSerializerOptions.Default"/>. They cannot be changed afterwards.</param>
    /// <param name="name">The name in metrics, results and dead letters.</param>
    [RequiresUnreferencedCode(JsonTypes.NeedsReflection)]
    [RequiresDynamicCode(JsonTypes.NeedsReflection)]
    public static SinkDescriptor Of<T>(
        Func<EventContext<T>, CancellationToken, ValueTask> handler,
        JsonSerializerOptions? options = null,
        string name = "handler"
    )
        where T : notnull => Of(handler, JsonTypes.Of<T>(options), name);

    private sealed class HandlerSink(string name, Func<ReceivedEvent, CancellationToken, ValueTask> handler) : ISink<ReceivedEvent>
    {
        public string Name => name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => handler(receivedEvent, cancellationToken);
    }
}
