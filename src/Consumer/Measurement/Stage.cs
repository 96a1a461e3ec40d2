namespace EventHubThroughput.Consumer.Measurement;

/// <summary>Where an event's time goes. The sinks come first: their numbers are their places in the watermark.</summary>
internal enum Stage
{
    ServiceBus = 0,
    Blob = 1,

    /// <summary>From the beginning of an event's first write until every sink has it.</summary>
    Event = 2,

    /// <summary>One checkpoint write.</summary>
    Checkpoint = 3,

    /// <summary>From the end of one batch, its checkpoint included, until the next one is there.</summary>
    Receive = 4,
}

internal static class Stages
{
    public static readonly IReadOnlyList<Stage> All = Enum.GetValues<Stage>();

    /// <summary>The stage's name in metrics, results and tables.</summary>
    public static string Name(this Stage stage) =>
        stage switch
        {
            Stage.ServiceBus => "servicebus",
            Stage.Blob => "blob",
            Stage.Event => "event",
            Stage.Checkpoint => "checkpoint",
            _ => "receive",
        };
}
