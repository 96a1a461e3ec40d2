namespace EventHubThroughput.Clients;

/// <summary>A moment within an operation that is invisible to its caller.</summary>
public enum OperationMoment
{
    /// <summary>Sent and not answered: a complete message, or an upload with half of its body.</summary>
    OnTheWire,

    /// <summary>The service has confirmed that it is stored. No component has acted on that yet.</summary>
    Answered,
}

/// <summary>A step of a write, for an observer of the clients. Crash tests end the process there.</summary>
/// <param name="Moment">The step.</param>
/// <param name="Entity">The queue or topic, or the container.</param>
/// <param name="Blob">The blob's name. Null for a message.</param>
/// <param name="Metadata">The blob's metadata that is written. Null without.</param>
public readonly record struct OperationStep(OperationMoment Moment, string Entity, string? Blob = null, IReadOnlyDictionary<string, string>? Metadata = null);
