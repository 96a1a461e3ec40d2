using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>A target of messages: a queue or a topic.</summary>
internal interface IMessageEntity
{
    string Name { get; }

    /// <summary>Cancelled when the entity is deleted, which ends its links.</summary>
    CancellationToken Deleted { get; }

    /// <summary>Accepts all messages or none.</summary>
    /// <param name="contents">The messages, in order.</param>
    /// <param name="stored">Called before any of them can be received. May be null.</param>
    /// <param name="hops">How often they were forwarded.</param>
    /// <returns>Null when there is not enough memory.</returns>
    /// <exception cref="IOException">The messages could not be written to the log.</exception>
    /// <exception cref="Amqp.AmqpException">The entity was deleted.</exception>
    Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops);

    /// <summary>Cancels all of these scheduled messages or none.</summary>
    /// <returns>False when one of them is not scheduled here.</returns>
    bool TryCancelScheduled(IReadOnlyList<long> sequences);
}
