using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.Encodings.Web;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Consumer.Profiling;

/// <summary>The command <c>consumer profile</c>: a latency profile of what a run has measured, on Azure or anywhere else.</summary>
internal sealed class ProfileCommand
{
    private static readonly JsonWriterOptions Form = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly Option<string?> from = Options.RequiredText("--from", "The --output of a run", "FILE");
    private readonly Option<string> name = Options.TextOr("--name", "What the profile is called", "measured", "NAME");
    private readonly Option<string?> output = Options.Text("--output", "Write the profile to this file (.json); to standard output unless given", "FILE");

    /// <param name="console">Where to write.</param>
    public static Command Create(CommandConsole console) => new ProfileCommand().Build(console);

    private Command Build(CommandConsole console)
    {
        var command = new Command("profile", "Makes a latency profile of what a run has measured, for compare and model (--profile FILE) to answer for it.")
        {
            from,
            name,
            output,
        };
        command.Check(result =>
            result.GetValue(output) is { } path && !path.EndsWith(".json", StringComparison.OrdinalIgnoreCase)
                ? $"{output.Name} {path}: a profile is known by the ending .json"
                : null
        );
        command.CheckAll(result =>
            new NamedFiles().Reads(from.Name, result.GetValue(from)).Writes(output.Name, result.GetValue(output), OutputKind.Profile).Problems()
        );
        command.SetAction(
            async (result, cancellationToken) => Write(result, console, await ReadAsync(result.GetValue(from)!, cancellationToken), result.GetValue(name)!)
        );
        return command;
    }

    private async Task<RunResult> ReadAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            return await ResultJson.ReadRunAsync(path, cancellationToken);
        }
        catch (JsonException)
        {
            throw new UsageException($"{from.Name} {path}: not the result of a run, or not whole");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{from.Name} {path}: {UnreadableFile.WhyOf(path)}");
        }
    }

    private int Write(ParseResult result, CommandConsole console, RunResult run, string called)
    {
        var measured = MeasuredOf(result, run, called);
        foreach (var note in measured.Notes)
        {
            console.Error.WriteLine($"note: {note}");
        }

        byte[] json = [.. ProfileText.Write(measured.Profile, Form), (byte)'\n'];
        if (result.GetValue(output) is not { } path)
        {
            return console.Print(text => text.Write(System.Text.Encoding.UTF8.GetString(json)));
        }

        ResultFile.WriteProfile(path, json);
        return console.Print(text => text.WriteLine($"profile '{called}' in {path}: consumer compare --profile {path}"));
    }

    private MeasuredProfile MeasuredOf(ParseResult result, RunResult run, string called)
    {
        try
        {
            return MeasuredProfile.Of(called, run);
        }
        catch (UsageException wrong)
        {
            throw new UsageException([.. wrong.Problems.Select(problem => $"{from.Name} {result.GetValue(from)}: {problem}")]);
        }
    }
}
