using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Modelling;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Model;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Modelling;

/// <summary>The command <c>consumer model</c>: predicts the rate of each strategy without running it.</summary>
internal static class ModelCommand
{
    /// <param name="console">Where to write.</param>
    /// <param name="components">The available strategies and sinks. Null for those of the build.</param>
    public static Command Create(CommandConsole console, AvailableComponents? components = null)
    {
        var command = new Command("model", "Predicts what each strategy reaches on a latency profile, without a run.");
        var arguments = new ModelArguments(components ?? AvailableComponents.Current);
        arguments.AddTo(command);
        command.SetAction(result =>
        {
            var settingsOf = arguments.Read(result);
            if (arguments.GetOutput(result) is { } path)
            {
                ResultFile.EnsureWritable(path);
            }

            var recommended = Recommend(arguments.GetNeed(result.CommandResult), settingsOf);
            var rowOf = recommended is { Found: { } found } ? one => settingsOf(one) with { Degree = found.Degree } : settingsOf;
            var rows = ModelRow.Of(arguments.GetStrategies(result.CommandResult), rowOf);
            var settings = rowOf(StrategyCatalog.All[0]);
            var code = console.Print(output =>
            {
                recommended?.Write(output);
                ModelTable.Write(settings, rows, output);
            });
            if (arguments.GetOutput(result) is { } file)
            {
                ResultFile.Write(file, ModelDocument.Of(settings, rows, recommended));
            }

            return code;
        });
        return command;
    }

    private static Recommendation? Recommend((double PerSecond, OrderingGuarantee Order)? need, Func<StrategyDescriptor, ModelSettings> settingsOf) =>
        need is var (rate, order) ? Recommendation.Of(new ConfigurationSearch(settingsOf, rate), order) : null;
}
