namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>What a processor was about when something failed.</summary>
public enum MessageProcessorStep
{
    /// <summary>Receiving messages.</summary>
    Receive,

    /// <summary>The handler threw. Its message is abandoned.</summary>
    Handle,

    /// <summary>Telling the service what became of a message.</summary>
    Settle,

    /// <summary>Renewing a lock.</summary>
    RenewLock,
}

/// <summary>A failure of which a processor tells.</summary>
/// <param name="Step">What it was about.</param>
/// <param name="Exception">What happened.</param>
/// <param name="Message">The message that it concerns. Null when receiving failed.</param>
public sealed record MessageProcessorError(MessageProcessorStep Step, Exception Exception, ReceivedMessage? Message);
