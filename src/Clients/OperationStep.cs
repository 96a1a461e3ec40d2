namespace EventHubThroughput.Clients;

/// <summary>A moment inside an operation that its caller cannot see.</summary>
public enum OperationMoment
{
    /// <summary>On its way and not answered: a message whole, an upload with half of its body.</summary>
    OnTheWire,

    /// <summary>The service says that it is stored, and nobody has acted on that yet.</summary>
    Answered,
}

/// <summary>Tells an observer of the clients how far a write has come. Tests of crashes end the process there.</summary>
/// <param name="Moment">How far.</param>
/// <param name="Entity">The queue or topic, or the container.</param>
/// <param name="Blob">The blob's name. Null for a message.</param>
/// <param name="Metadata">What is written as the blob's metadata. Null without.</param>
public readonly record struct OperationStep(OperationMoment Moment, string Entity, string? Blob = null, IReadOnlyDictionary<string, string>? Metadata = null);
