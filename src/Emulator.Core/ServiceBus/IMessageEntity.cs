using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>What messages can be sent to: a queue or a topic.</summary>
internal interface IMessageEntity
{
    string Name { get; }

    /// <summary>Cancelled when the entity is deleted. Links to it end.</summary>
    CancellationToken Deleted { get; }

    /// <summary>Takes messages in, all or none.</summary>
    /// <param name="contents">The messages, in order.</param>
    /// <param name="stored">Told before anybody can receive one of them. Null when nobody wants to know.</param>
    /// <param name="hops">How often they were forwarded.</param>
    /// <returns>Null when there is no memory for them.</returns>
    /// <exception cref="IOException">They could not be written to the log.</exception>
    /// <exception cref="Amqp.AmqpException">The entity was deleted.</exception>
    Receipt? Send(IReadOnlyList<MessageContent> contents, Action<Receipt>? stored, byte hops);

    /// <summary>Takes scheduled messages back, all or none.</summary>
    /// <returns>False when one of them is not scheduled here, or no longer.</returns>
    bool TryCancelScheduled(IReadOnlyList<long> sequences);
}
