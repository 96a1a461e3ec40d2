using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.Encodings.Web;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Profiling;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Profiling;

/// <summary>The command <c>consumer profile</c>: derives a latency profile from a measured run or from a few probes of the namespace.</summary>
/// <param name="settings">The namespace of the environment.</param>
/// <param name="probe">Probes it.</param>
internal sealed class ProfileCommand(SettingsResult settings, Func<ProbeChoice, ClientFamily, MessagingSettings, Task<MeasuredProfile>> probe)
{
    private const int MostProbes = 10_000;
    private const int LargestResult = 16 * 1024 * 1024;

    private static readonly JsonWriterOptions Form = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly Option<string?> from = Options.Text("--from", "The --output of a run", "FILE");
    private readonly Option<int?> probes = Options.OptionalInteger(
        "--probes",
        "Instead of a run: write N messages, blobs and checkpoints to the namespace of the environment, one after another",
        MeasuredLaw.FewestSamples,
        MostProbes
    );

    private readonly Option<int> size = Options.Integer("--size", "Bytes of each probe message and blob", 1024, 0, 200_000);
    private readonly Option<string> clients = SharedOptions.Clients();
    private readonly Option<string> name = Options.TextOr("--name", "Name of the profile", "measured", "NAME");
    private readonly Option<string?> output = Options.Text("--output", "Write the profile to this file (.json), default standard output", "FILE");

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="probe">Probes a namespace.</param>
    public static Command Create(CommandConsole console, Func<ProbeChoice, ClientFamily, MessagingSettings, Task<MeasuredProfile>> probe) =>
        new ProfileCommand(MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer), probe).Build(console);

    private Command Build(CommandConsole console)
    {
        var command = new Command("profile", "Makes a latency profile from a run, or from probes of a namespace. compare and model use it (--profile FILE).")
        {
            from,
            probes,
            size,
            clients,
            name,
            output,
        };
        command.Check(result =>
            (result.IsGiven(from), result.IsGiven(probes)) switch
            {
                (false, false) =>
                    $"profile: no source. Add {from.Name} FILE for the result of a run, or {probes.Name} N to measure the namespace of the environment",
                (true, true) => $"{from.Name}: cannot be combined with {probes.Name}",
                _ => null,
            }
        );
        command.CheckAll(ProbeProblems);
        command.Check(result =>
            result.GetValue(output) is { } path && !path.EndsWith(".json", StringComparison.OrdinalIgnoreCase)
                ? $"{output.Name} {path}: the name of a profile must end in .json"
                : null
        );
        command.CheckAll(result =>
            new NamedFiles().Reads(from.Name, result.GetValue(from)).Writes(output.Name, result.GetValue(output), OutputKind.Profile).Problems()
        );
        command.SetAction(async (result, _) => Write(result, console, await MeasuredAsync(result)));
        return command;
    }

    private IEnumerable<string> ProbeProblems(CommandResult result)
    {
        if (!result.IsGiven(probes))
        {
            return ((Option[])[size, clients]).Where(result.IsGiven).Select(option => $"{option.Name}: only with {probes.Name}");
        }

        return settings switch
        {
            { IsNone: true } => [$"{probes.Name}: no connection settings are set in the environment"],
            { Settings: { } complete } => AvailableComponents.GetFamily(result.GetValue(clients)!).ProblemsOf(complete),
            _ => settings.Problems,
        };
    }

    private async Task<MeasuredProfile> MeasuredAsync(ParseResult result)
    {
        var called = result.GetValue(name)!;
        if (result.GetValue(probes) is not { } count)
        {
            return GetMeasured(result, Read(result.GetValue(from)!), called);
        }

        if (result.GetValue(output) is { } path)
        {
            ResultFile.EnsureProfileWritable(path);
        }

        var choice = new ProbeChoice(called, count, result.GetValue(size));
        return await probe(choice, AvailableComponents.GetFamily(result.GetValue(clients)!), settings.Settings!);
    }

    private RunResult Read(string path)
    {
        try
        {
            return ResultJson.Read<RunResult>(NamedFile.Read($"{from.Name} {path}", path, LargestResult));
        }
        catch (JsonException)
        {
            throw new UsageException($"{from.Name} {path}: not the result of a run, or incomplete");
        }
    }

    private int Write(ParseResult result, CommandConsole console, MeasuredProfile measured)
    {
        foreach (var note in measured.Notes)
        {
            console.Error.WriteLine($"note: {note}");
        }

        IReadOnlyList<string> writes = [.. measured.Writes.SelectMany(static write => new[] { WriteArguments.Name, write.ToString() })];
        if (writes.Count > 0)
        {
            console.Error.WriteLine(
                $"note: {WriteArguments.Name} has mean and spread. A run does not show how many writes a service takes concurrently: add :concurrency=N if you know it"
            );
        }

        byte[] json = [.. ProfileText.Write(measured.Profile, Form), (byte)'\n'];
        if (result.GetValue(output) is not { } path)
        {
            if (writes.Count > 0)
            {
                console.Error.WriteLine($"note: the same writes for the model: {CommandText.Of(["model", .. writes])}");
            }

            return console.Print(text => text.Write(System.Text.Encoding.UTF8.GetString(json)));
        }

        ResultFile.WriteProfile(path, json);
        return console.Print(text =>
        {
            text.WriteLine($"profile '{measured.Profile.Name}' in {path}: consumer compare --profile {path}");
            if (writes.Count > 0)
            {
                text.WriteLine($"writes of each event: {CommandText.Of(["model", "--profile", path, .. writes])}");
            }
        });
    }

    private MeasuredProfile GetMeasured(ParseResult result, RunResult run, string called)
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
