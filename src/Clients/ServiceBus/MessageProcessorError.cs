namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>The step of a processor that failed.</summary>
public enum MessageProcessorStep
{
    /// <summary>Receiving messages.</summary>
    Receive,

    /// <summary>The handler threw. Its message is abandoned.</summary>
    Handle,

    /// <summary>Settling a message.</summary>
    Settle,

    /// <summary>Renewing a lock.</summary>
    RenewLock,
}

/// <summary>A failure that a processor reports.</summary>
/// <param name="Step">The step.</param>
/// <param name="Exception">The exception.</param>
/// <param name="Message">The message that it concerns. Null when receiving failed.</param>
public sealed record MessageProcessorError(MessageProcessorStep Step, Exception Exception, ReceivedMessage? Message);
