using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The files of a run and the checks for conflicts between them.</summary>
internal sealed class FileArguments
{
    /// <summary>The load of an embedded run, whose options also name files.</summary>
    public LoadArguments Load { get; } = new();

    public Option<string?> Output { get; } =
        Options.Text("--output", "Write the results to this file (JSON)", "FILE").SetsOutputs(static (outputs, file) => outputs with { Result = file });

    public Option<string?> Ledger { get; } =
        Options.Text("--ledger", "The sender's ledger, for the verdict", "FILE").SetsOutputs(static (outputs, file) => outputs with { Ledger = file });

    public Option<string?> Journal { get; } =
        Options.Text("--journal", "The emulator's journal, for the verdict", "FILE").SetsOutputs(static (outputs, file) => outputs with { Journal = file });

    public Option[] All => [Output, Ledger, Journal];

    /// <summary>The problems of ledger and journal options that do not apply.</summary>
    public IEnumerable<string> EvidenceProblems(CommandResult result, bool embedded)
    {
        var given = ((Option[])[Ledger, Journal]).Where(result.IsGiven).ToList();
        return embedded ? given.Select(option => $"{option.Name}: an embedded run writes its own, add --keep to keep it")
            : given is [var one] ? [$"{one.Name}: needs {(one == Ledger ? Journal : Ledger).Name} too"]
            : [];
    }

    /// <summary>The files that the emulator or its sender reads at the start and that do not exist or cannot be read.</summary>
    public IEnumerable<string> Missing(CommandResult result)
    {
        (string Option, string? Path)[] needed =
        [
            (Load.Profile.Name, GetFile(result.GetValue(Load.Profile))),
            .. (result.GetValue(Load.Faults)?.Split(',') ?? []).Select(fault => (Load.Faults.Name, GetFile(fault))),
            (Load.Input.Name, result.GetValue(Load.Input)),
        ];
        return needed
            .Where(static file => file.Path is not null)
            .Select(static file => NamedFile.GetProblem(file.Path!) is { } problem ? $"{file.Option} {file.Path}: {problem}" : null)
            .OfType<string>();
    }

    /// <summary>The problems of files that are read and written in the same run. An option that the command does not have has the value null.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="further">Adds the files of the command's other options.</param>
    public IEnumerable<string> Problems(CommandResult result, Action<NamedFiles>? further = null)
    {
        foreach (var option in (Option<string?>[])[Ledger, Journal])
        {
            // A file that does not exist yet may still be written before it is read.
            if (result.GetValue(option) is { } path && File.Exists(path) && NamedFile.GetProblem(path) is { } problem)
            {
                return [$"{option.Name} {path}: {problem}"];
            }
        }

        var folder = result.GetValue(Load.Keep);
        if (folder is not null && File.Exists(folder))
        {
            return [$"{Load.Keep.Name} {folder}: is a file, name a folder"];
        }

        var files = new NamedFiles().Reads(Load.Profile.Name, GetFile(result.GetValue(Load.Profile)));
        foreach (var fault in result.GetValue(Load.Faults)?.Split(',') ?? [])
        {
            files.Reads(Load.Faults.Name, GetFile(fault));
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

    /// <summary>The file that the option names, or null if its value is a name and does not look like a file.</summary>
    public static string? GetFile(string? text) =>
        text is not null && (text.EndsWith(".json", StringComparison.OrdinalIgnoreCase) || text.AsSpan().ContainsAny('/', '\\')) ? text : null;
}
