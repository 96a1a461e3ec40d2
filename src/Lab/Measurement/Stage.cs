namespace EventHubThroughput.Lab.Measurement;

/// <summary>A part of an event's time: one of the stages that every run has, or one for each of its sinks.</summary>
/// <param name="Place">Its place among the histograms of a section.</param>
/// <param name="Name">Its name in metrics, results and tables.</param>
internal readonly record struct Stage(int Place, string Name)
{
    /// <summary>From the beginning of an event's first write until every sink has it.</summary>
    public static readonly Stage Event = new(0, "event");

    /// <summary>One checkpoint write.</summary>
    public static readonly Stage Checkpoint = new(1, "checkpoint");

    /// <summary>From the end of one batch, its checkpoint included, until the next one is there.</summary>
    public static readonly Stage Receive = new(2, "receive");

    /// <summary>One wait of a batch for the window or the replay limit.</summary>
    public static readonly Stage Window = new(3, "window");

    /// <summary>From the scheduled send time of an event, or else from when it was enqueued, until every sink has it. By two clocks.</summary>
    public static readonly Stage EndToEnd = new(4, "endtoend");
}

/// <summary>The stages of a run with these sinks.</summary>
/// <param name="sinks">The names of the sinks, by place.</param>
internal sealed class RunStages(IReadOnlyList<string> sinks)
{
    private static readonly Stage[] OfEveryRun = [Stage.Event, Stage.Checkpoint, Stage.Receive, Stage.Window, Stage.EndToEnd];

    /// <summary>The stages of the sinks, by place.</summary>
    public IReadOnlyList<Stage> Sinks { get; } = [.. sinks.Select((name, place) => new Stage(OfEveryRun.Length + place, name))];

    /// <summary>All stages in the order in which they are reported: the sinks first.</summary>
    public IReadOnlyList<Stage> All => [.. Sinks, .. OfEveryRun];

    /// <summary>Whether a stage is that of a sink.</summary>
    public static bool IsSink(string stage) => Array.TrueForAll(OfEveryRun, known => known.Name != stage);
}
