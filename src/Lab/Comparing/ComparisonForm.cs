namespace EventHubThroughput.Lab.Comparing;

/// <summary>What tells the commands apart that run several things beside each other.</summary>
/// <param name="Name">The command.</param>
/// <param name="Text">What it does, for its help.</param>
/// <param name="Strategies">What is run unless something is named.</param>
/// <param name="StrategiesText">What the option says that names them.</param>
/// <param name="IsSweep">Whether each is run at several degrees.</param>
internal sealed record ComparisonForm(string Name, string Text, IReadOnlyList<string> Strategies, string StrategiesText, bool IsSweep)
{
    /// <summary>The scenario that is no file: sweep has a processor of messages by this name.</summary>
    public const string ProcessorScenario = "servicebus-processor";

    /// <summary>Strategies side by side.</summary>
    public static ComparisonForm Compare { get; } =
        new(
            "compare",
            "Runs several strategies on the same events, one after another on an emulator of its own, and says which is fastest, by how much, and at which price.",
            ["baseline", "inloop", "outloop", "combined", "pipelined"],
            "What is compared, the first being what ratios refer to; all is every one that loses nothing; one with settings of its own as pipelined:degree=128:batch=100",
            IsSweep: false
        );

    /// <summary>Strategies at several degrees and batches.</summary>
    public static ComparisonForm Sweep { get; } =
        new(
            "sweep",
            "Runs strategies at many degrees on the same events, and says where more stops to help and which degree to use.",
            ["combined", "pipelined"],
            "What is swept; all is every one that loses nothing; one with settings of its own as pipelined:window=4096",
            IsSweep: true
        );
}
