using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The files of a run, and whether they get in each other's way.</summary>
internal sealed class FileArguments
{
    /// <summary>The load of an embedded run, which names files as well.</summary>
    public LoadArguments Load { get; } = new();

    public Option<string?> Output { get; } =
        Options.Text("--output", "Write the results to this file (JSON)", "FILE").SetsOutputs(static (outputs, file) => outputs with { Result = file });

    public Option<string?> Ledger { get; } =
        Options.Text("--ledger", "The sender's ledger, for the verdict", "FILE").SetsOutputs(static (outputs, file) => outputs with { Ledger = file });

    public Option<string?> Journal { get; } =
        Options.Text("--journal", "The emulator's journal, for the verdict", "FILE").SetsOutputs(static (outputs, file) => outputs with { Journal = file });

    public Option[] All => [Output, Ledger, Journal];

    /// <summary>Whether ledger and journal are given where they make sense.</summary>
    public IEnumerable<string> EvidenceProblems(CommandResult result, bool embedded)
    {
        var given = ((Option[])[Ledger, Journal]).Where(result.IsGiven).ToList();
        return embedded ? given.Select(option => $"{option.Name}: an embedded run writes its own, add --keep to keep it")
            : given is [var one] ? [$"{one.Name}: needs {(one == Ledger ? Journal : Ledger).Name} too"]
            : [];
    }

    /// <summary>The files that do not exist or cannot be read, of those that the emulator and its sender read when they start.</summary>
    public IEnumerable<string> Missing(CommandResult result)
    {
        (string Option, string? Path)[] needed =
        [
            (Load.Profile.Name, FileOf(result.GetValue(Load.Profile))),
            .. (result.GetValue(Load.Faults)?.Split(',') ?? []).Select(fault => (Load.Faults.Name, FileOf(fault))),
            (Load.Input.Name, result.GetValue(Load.Input)),
        ];
        return needed
            .Where(static file => file.Path is not null)
            .Select(static file => NamedFile.ProblemOf(file.Path!) is { } problem ? $"{file.Option} {file.Path}: {problem}" : null)
            .OfType<string>();
    }

    /// <summary>What is read and written at once. Of options that a command does not have the value is null.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="further">Names the files of options that the command has besides.</param>
    public IEnumerable<string> Problems(CommandResult result, Action<NamedFiles>? further = null)
    {
        foreach (var option in (Option<string?>[])[Ledger, Journal])
        {
            // What is not there yet may be written until it is read.
            if (result.GetValue(option) is { } path && File.Exists(path) && NamedFile.ProblemOf(path) is { } problem)
            {
                return [$"{option.Name} {path}: {problem}"];
            }
        }

        var folder = result.GetValue(Load.Keep);
        if (folder is not null && File.Exists(folder))
        {
            return [$"{Load.Keep.Name} {folder}: is a file, name a folder"];
        }

        var files = new NamedFiles().Reads(Load.Profile.Name, FileOf(result.GetValue(Load.Profile)));
        foreach (var fault in result.GetValue(Load.Faults)?.Split(',') ?? [])
        {
            files.Reads(Load.Faults.Name, FileOf(fault));
        }

        further?.Invoke(files);
        return files
            .Reads(Load.Input.Name, result.GetValue(Load.Input))
            .Reads(Ledger.Name, result.GetValue(Ledger))
            .Reads(Journal.Name, result.GetValue(Journal))
            .Writes(Load.Keep.Name, folder is null ? null : EmbeddedFolder.JournalIn(folder), OutputKind.Journal)
            .Writes(Load.Keep.Name, folder is null ? null : EmbeddedFolder.LedgerIn(folder), OutputKind.Ledger)
            .Writes(Output.Name, result.GetValue(Output), OutputKind.Result)
            .Problems();
    }

    /// <summary>The file that an option names whose values may be names as well, which look like no file. Else null.</summary>
    public static string? FileOf(string? text) =>
        text is not null && (text.EndsWith(".json", StringComparison.OrdinalIgnoreCase) || text.AsSpan().ContainsAny('/', '\\')) ? text : null;
}
