using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>The stages of a run with the two sinks of the article.</summary>
internal static class TwoSinks
{
    public static RunStages Stages { get; } = new(["servicebus", "blob"]);

    public static Stage ServiceBus => Stages.Sinks[0];

    public static Stage Blob => Stages.Sinks[1];
}
