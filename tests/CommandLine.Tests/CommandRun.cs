using System.CommandLine;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

// What a run printed and returned.
internal sealed record CommandRun(int ExitCode, string Output, string Error)
{
    public static readonly string[] Strategies = ["baseline", "inloop", "outloop", "combined"];

    public static async Task<CommandRun> OfAsync(RootCommand root, params string[] args)
    {
        await using var output = new StringWriter { NewLine = "\n" };
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, _ => null);
        var exitCode = await CommandHost.RunAsync(root, args, console, TestContext.Current.CancellationToken);
        return new CommandRun(exitCode, output.ToString(), error.ToString());
    }

    public static Task<CommandRun> OfSampleAsync(params string[] args) => OfAsync(Sample(_ => { }), args);

    /// <summary>A command with an option of each kind.</summary>
    public static RootCommand Sample(Action<ParseResult> action)
    {
        var root = new RootCommand("A sample.");
        root.Options.Add(Options.Integer("--degree", "Events in flight per partition", 16, 1, 4096));
        root.Options.Add(Options.Integer("--batch", "Events per batch", 10, 1, 10000));
        root.Options.Add(Options.Choice("--strategy", "The strategy", "baseline", Strategies));
        root.Options.Add(Options.Duration("--drain-limit", "How long to drain", TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(1), TimeSpan.FromHours(1)));
        root.Options.Add(Options.Number("--skew", "Zipf exponent", 0.5, 0, 10));
        root.Options.Add(Options.OptionalRates("--rate", "Events per second", 0.001, 1_000_000));
        root.Options.Add(Options.OptionalSizes("--size", "Bytes", 0, 5000));
        root.Options.Add(Options.Text("--output", "Result file", "FILE"));
        root.Options.Add(Options.List("--containers", "Containers to create", ["archive", "checkpoints"]));
        root.Options.Add(Options.Flag("--quiet", "Says nothing"));
        root.SetAction(action);
        return root;
    }
}
