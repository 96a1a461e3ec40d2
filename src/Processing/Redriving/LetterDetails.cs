using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>Details of events that are created from dead letters, which have encoded properties and no identifiers.</summary>
internal sealed class LetterDetails : EventDetails
{
    public static LetterDetails Instance { get; } = new();

    public override IReadOnlyDictionary<string, object?> DecodeProperties(ReadOnlyMemory<byte> encoded) => PlainProperties.Decode(encoded);
}
