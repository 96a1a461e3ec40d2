using System.Text.Json.Serialization;

namespace EventHubThroughput.Processing;

/// <summary>Why processing ended.</summary>
public enum ProcessingFaultKind
{
    /// <summary>A service is missing, refuses, or was unreachable for too long.</summary>
    Dependency,

    /// <summary>A sink has failed an event for good, and the poison policy ends processing.</summary>
    Poison,

    /// <summary>Writes in flight at the end were cancelled after the drain limit. Their events are delivered again.</summary>
    DrainLimit,

    /// <summary>A strategy or the processing itself has broken a rule: an event was never written, or a checkpoint would have passed one.</summary>
    InvariantBreached,
}

/// <summary>A failure that ends processing. The message is one line, contains no secret and names partition, event or service.</summary>
/// <param name="Kind">The kind of failure.</param>
/// <param name="Message">The line.</param>
public sealed record ProcessingFault(ProcessingFaultKind Kind, string Message)
{
    /// <summary>The exception of a handler, a sink or a client. Null where processing itself found the fault.</summary>
    [JsonIgnore]
    public Exception? Exception { get; init; }

    /// <summary>The partition. Null where the fault does not belong to one.</summary>
    [JsonIgnore]
    public string? PartitionId { get; init; }

    /// <summary>The event. Null where the fault does not belong to one.</summary>
    [JsonIgnore]
    public long? SequenceNumber { get; init; }

    /// <summary>Whether both have the same kind and message.</summary>
    /// <param name="other">The other fault.</param>
    public bool Equals(ProcessingFault? other) => other is not null && Kind == other.Kind && Message == other.Message;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind, Message);

    /// <inheritdoc/>
    public override string ToString() => $"{Kind}: {Message}";
}

/// <summary>Carries a reported fault through a strategy and the processor.</summary>
public sealed class ProcessingFaultException(ProcessingFault fault, Exception? innerException = null) : Exception(fault.Message, innerException)
{
    /// <summary>The fault.</summary>
    public ProcessingFault Fault { get; } = fault;
}
