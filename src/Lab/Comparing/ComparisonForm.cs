namespace EventHubThroughput.Lab.Comparing;

/// <summary>What distinguishes the commands that run several configurations.</summary>
/// <param name="Name">The command.</param>
/// <param name="Text">What it does, for its help.</param>
/// <param name="Strategies">What is run unless something is named.</param>
/// <param name="StrategiesText">The description of the option that names the strategies.</param>
/// <param name="IsSweep">Whether each is run at several degrees.</param>
internal sealed record ComparisonForm(string Name, string Text, IReadOnlyList<string> Strategies, string StrategiesText, bool IsSweep)
{
    /// <summary>The name by which sweep runs a processor of messages. It is not the name of a scenario file.</summary>
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
