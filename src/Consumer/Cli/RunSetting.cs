using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.CompilerServices;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>
/// Connects each option with the member of the run's record that it sets. Name, limits, help text and setting of an option are declared in one place. A
/// command reads the record from the options that it has.
/// </summary>
internal static class RunSetting
{
    private static readonly ConditionalWeakTable<Option, Setting> Settings = [];

    /// <summary>The option sets a member of the run. The value is null if the option has no default and was not given.</summary>
    public static Option<T> Sets<T>(this Option<T> option, Func<RunOptions, T, RunOptions> set) => option.Add("Output", set);

    /// <summary>The option sets a member of the processing.</summary>
    public static Option<T> SetsProcessing<T>(this Option<T> option, Func<ProcessingOptions, T, ProcessingOptions> set) =>
        option.Add<T>("Strategy", (run, value) => run with { Processing = set(run.Processing, value) });

    /// <summary>The option sets a member of the load. It does nothing if the run is not embedded.</summary>
    public static Option<T> SetsLoad<T>(this Option<T> option, Func<LoadOptions, T, LoadOptions> set) =>
        option.Add<T>("Load", (run, value) => run.Load is { } load ? run with { Load = set(load, value) } : run);

    /// <summary>The option sets a member of the outputs: files and console.</summary>
    public static Option<T> SetsOutputs<T>(this Option<T> option, Func<OutputOptions, T, OutputOptions> set) =>
        option.Add<T>("Output", (run, value) => run with { Outputs = set(run.Outputs, value) });

    /// <summary>The record after all options of the command have been applied, in their order.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="run">The values of options that were not given.</param>
    public static RunOptions Read(this CommandResult result, RunOptions run) => result.Read(run, result.Command.Options);

    /// <summary>The record after some options have been applied. Options that the command does not have are skipped.</summary>
    public static RunOptions Read(this CommandResult result, RunOptions run, IEnumerable<Option> options) =>
        options
            .Where(result.Command.Options.Contains)
            .Aggregate(run, (read, option) => Settings.TryGetValue(option, out var setting) ? setting.Apply(result, read) : read);

    /// <summary>The record after only the options that were given have been applied.</summary>
    public static RunOptions ReadGiven(this CommandResult result, RunOptions run) => result.Read(run, result.Command.Options.Where(result.IsGiven));

    /// <summary>The help group of an option that no other group lists. Null if the option sets nothing.</summary>
    public static string? GetTitle(Option option) => Settings.TryGetValue(option, out var setting) ? setting.Title : null;

    private static Option<T> Add<T>(this Option<T> option, string title, Func<RunOptions, T, RunOptions> set)
    {
        Settings.Add(option, new Setting(title, (result, run) => set(run, result.GetValue(option)!)));
        return option;
    }

    private sealed record Setting(string Title, Func<CommandResult, RunOptions, RunOptions> Apply);
}
