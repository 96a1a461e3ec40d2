using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Load;

/// <summary>An AMQP 1.0 library with one message, one connection and a link each way to the emulator's queue, as its users would write it.</summary>
internal interface IAmqpPeer : IAsyncDisposable
{
    /// <summary>Encodes a message anew: message-id, three application properties and the body.</summary>
    /// <returns>Its length in bytes.</returns>
    int Encode();

    /// <summary>Decodes what <see cref="Encode"/> has encoded last, and reads message-id, properties and body.</summary>
    /// <returns>The length of the body in bytes.</returns>
    int Decode();

    /// <summary>Connects with SASL PLAIN.</summary>
    /// <param name="address">The emulator's Service Bus endpoint.</param>
    /// <param name="queue">The queue.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task ConnectAsync(MessagingConnectionString address, string queue, CancellationToken cancellationToken);

    /// <summary>Sends a message, unsettled, and returns when it is accepted.</summary>
    Task SendAsync(CancellationToken cancellationToken);

    /// <summary>Receives messages with 300 in advance, and accepts each.</summary>
    /// <param name="count">How many.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task ReceiveAsync(int count, CancellationToken cancellationToken);
}
