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
            "Runs several strategies on the same events, one after another on its own emulator. Reports which is fastest, by how much, and at what cost.",
            ["baseline", "inloop", "outloop", "combined", "pipelined"],
            "Strategies to compare. The first is the baseline of the ratios. all is every safe one. Options of one as in pipelined:degree=128:batch=100",
            IsSweep: false
        );

    /// <summary>Strategies at several degrees and batches.</summary>
    public static ComparisonForm Sweep { get; } =
        new(
            "sweep",
            "Runs strategies at many degrees on the same events. Reports which degree to use, and from which degree on the rate stops rising.",
            ["combined", "pipelined"],
            "Strategies to sweep. all is every safe one. Options of one as in pipelined:window=4096",
            IsSweep: true
        );
}
