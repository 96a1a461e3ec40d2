using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Load;

/// <summary>An AMQP 1.0 library with one message, one connection, and links in both directions to the emulator's queue, as its users would write it.</summary>
internal interface IAmqpPeer : IAsyncDisposable
{
    /// <summary>Encodes a new message: message-id, three application properties and the body.</summary>
    /// <returns>Its length in bytes.</returns>
    int Encode();

    /// <summary>Decodes the last message of <see cref="Encode"/>, and reads message-id, properties and body.</summary>
    /// <returns>The length of the body in bytes.</returns>
    int Decode();

    /// <summary>Connects with SASL PLAIN.</summary>
    /// <param name="address">The emulator's Service Bus endpoint.</param>
    /// <param name="queue">The queue.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task ConnectAsync(MessagingConnectionString address, string queue, CancellationToken cancellationToken);

    /// <summary>Sends a message, unsettled, and returns when it is accepted.</summary>
    Task SendAsync(CancellationToken cancellationToken);

    /// <summary>Receives messages with a credit of 300 and accepts each.</summary>
    /// <param name="count">The number of messages.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task ReceiveAsync(int count, CancellationToken cancellationToken);
}
