using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The point at which the run kills its process: a hidden option, or a variable if the option is not given.</summary>
/// <param name="variable">The value of <c>EHT_KILL_AT</c>, or null.</param>
internal sealed class KillArgument(string? variable)
{
    public const string Variable = "EHT_KILL_AT";

    public Option<string?> Option { get; } = Options.HiddenText("--kill-at", "Kill this process at a kill point (docs/laboratory.md)", "POINT[:N]");

    /// <summary>The kill order, or none if neither the option nor the variable is set.</summary>
    public KillOrder Read(CommandResult result) => Parse(result).Order;

    public string? GetProblem(CommandResult result) => Parse(result).Problem;

    private (KillOrder Order, string? Problem) Parse(CommandResult result)
    {
        var given = result.GetValue(Option);
        var text = given ?? variable;
        if (string.IsNullOrWhiteSpace(text))
        {
            return default;
        }

        var problem = KillOrder.Problem(given is null ? Variable : Option.Name, text, out var order);
        return (order, problem);
    }
}
