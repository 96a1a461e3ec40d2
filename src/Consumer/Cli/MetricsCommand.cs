using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The command <c>consumer metrics</c>: prints what Prometheus needs to find the runs of this machine.</summary>
internal static class MetricsCommand
{
    /// <param name="console">Where to write.</param>
    /// <param name="workingFolder">The folder in which the rules of the repository are looked for.</param>
    public static Command Create(CommandConsole console, string workingFolder)
    {
        var print = Options.Flag(
            "--print-config",
            "Print a Prometheus configuration for this machine: its temporary folder, and grafana/rules.yml of the current folder"
        );
        var targets = Options.Text("--metrics-targets", "Folder of the targets, default the folder in which runs list themselves", "DIR");
        var command = new Command("metrics", "Prints a Prometheus configuration that finds the runs of this machine.") { print, targets };
        command.Check(result => result.GetValue(print) ? null : $"{command.Name}: nothing to do, allowed {print.Name}");
        command.Check(result =>
            result.GetValue(targets) is { } folder && ScrapeConfiguration.GetProblem(folder) is { } problem ? $"{targets.Name} '{folder}': {problem}" : null
        );
        command.SetAction(result =>
        {
            var folder = Path.GetFullPath(result.GetValue(targets) ?? TargetList.UsualFolder, workingFolder);
            var rules = Path.Combine(workingFolder, "grafana", "rules.yml");
            return console.Print(output => output.Write(ScrapeConfiguration.Of(folder, File.Exists(rules) ? rules : null)));
        });
        return command;
    }
}
