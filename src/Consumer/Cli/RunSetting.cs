using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.CompilerServices;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>
/// What options of the command line set in the record of a run. An option is declared in one place: its name, limits and words, and its setting.
/// A command reads the record from the options that it has.
/// </summary>
internal static class RunSetting
{
    private static readonly ConditionalWeakTable<Option, Setting> Settings = [];

    /// <summary>The option sets something of a run. Its value is null where it is optional and was not given.</summary>
    public static Option<T> Sets<T>(this Option<T> option, Func<RunOptions, T, RunOptions> set) => option.Add("Output", set);

    /// <summary>The option sets something of the processing.</summary>
    public static Option<T> SetsProcessing<T>(this Option<T> option, Func<ProcessingOptions, T, ProcessingOptions> set) =>
        option.Add<T>("Strategy", (run, value) => run with { Processing = set(run.Processing, value) });

    /// <summary>The option sets something of the load of an embedded run, and nothing of another.</summary>
    public static Option<T> SetsLoad<T>(this Option<T> option, Func<LoadOptions, T, LoadOptions> set) =>
        option.Add<T>("Load", (run, value) => run.Load is { } load ? run with { Load = set(load, value) } : run);

    /// <summary>The option sets something of what the run leaves behind and shows.</summary>
    public static Option<T> SetsOutputs<T>(this Option<T> option, Func<OutputOptions, T, OutputOptions> set) =>
        option.Add<T>("Output", (run, value) => run with { Outputs = set(run.Outputs, value) });

    /// <summary>The record with what every option of the command sets, in the order of the options.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="run">What holds where nothing was given.</param>
    public static RunOptions Read(this CommandResult result, RunOptions run) => result.Read(run, result.Command.Options);

    /// <summary>The record with what some options set, as far as the command has them.</summary>
    public static RunOptions Read(this CommandResult result, RunOptions run, IEnumerable<Option> options) =>
        options
            .Where(result.Command.Options.Contains)
            .Aggregate(run, (read, option) => Settings.TryGetValue(option, out var setting) ? setting.Apply(result, read) : read);

    /// <summary>The record with what the given options set.</summary>
    public static RunOptions ReadGiven(this CommandResult result, RunOptions run) => result.Read(run, result.Command.Options.Where(result.IsGiven));

    /// <summary>The title under which the help lists an option that stands in no other group. Null for one that sets nothing.</summary>
    public static string? TitleOf(Option option) => Settings.TryGetValue(option, out var setting) ? setting.Title : null;

    private static Option<T> Add<T>(this Option<T> option, string title, Func<RunOptions, T, RunOptions> set)
    {
        Settings.Add(option, new Setting(title, (result, run) => set(run, result.GetValue(option)!)));
        return option;
    }

    private sealed record Setting(string Title, Func<CommandResult, RunOptions, RunOptions> Apply);
}
