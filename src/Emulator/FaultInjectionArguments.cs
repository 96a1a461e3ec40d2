using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: how slow the emulator is, and which files it records.</summary>
internal sealed class FaultInjectionArguments
{
    private readonly Option<string> _profile = Options.TextOr(
        "--profile",
        $"latency profile: {string.Join(", ", LatencyProfiles.Names)}, or a file",
        "none",
        "NAME|FILE.json"
    );
    private readonly Option<int> _seed = Options.Integer("--seed", "seed of the profile's draws", 1, 0, int.MaxValue);
    private readonly Option<string?> _faults = Options.Text("--faults", "faults to arm, by name (F11,F17) or file", "NAME,...|FILE.json");
    private readonly Option<string?> _journal = Options.Text("--journal", "file of the journal: what the emulator stored and delivered", "FILE");
    private readonly Option<IReadOnlyList<string>> _journalProperties = Options.List(
        "--journal-properties",
        "application properties whose values are recorded",
        []
    );

    public void AddTo(RootCommand root)
    {
        foreach (var option in (Option[])[_profile, _seed, _faults, _journal, _journalProperties])
        {
            root.Options.Add(option);
        }

        root.Check(result => result.GetValue(_profile) is { } profile ? ProfileReader.Problem(_profile.Name, profile) : null);
        root.Check(result => result.GetValue(_faults) is { } faults ? FaultReader.Problem(_faults.Name, faults) : null);
    }

    /// <summary>Adds the files that are read and the one that is written.</summary>
    public NamedFiles AddTo(NamedFiles files, CommandResult result)
    {
        files.Reads(_profile.Name, GetFile(result.GetValue(_profile)));
        foreach (var fault in result.GetValue(_faults)?.Split(',') ?? [])
        {
            files.Reads(_faults.Name, GetFile(fault));
        }

        return files.Writes(_journal.Name, result.GetValue(_journal), OutputKind.Journal);
    }

    /// <summary>An option takes precedence over the settings file.</summary>
    public EmulatorOptions Apply(ParseResult parsed, SettingGroup? file, EmulatorOptions options) =>
        options with
        {
            Faults =
                file is not null && file.Names.Contains("faults") && FaultReader.Read(file.Groups("faults")) is { } listed && !parsed.IsGiven(_faults) ? listed
                : parsed.GetValue(_faults) is { } faults ? FaultReader.Of(faults)
                : [],
            Profile =
                file?.Find("profile") is { } named && ProfileReader.Read(named) is { } profile && !parsed.IsGiven(_profile)
                    ? profile
                    : ProfileReader.Of(parsed.GetValue(_profile)!),
            Seed = file?.Find("seed")?.Integer(0, int.MaxValue) is { } seed && !parsed.IsGiven(_seed) ? seed : parsed.GetValue(_seed),
            JournalPath = parsed.GetValue(_journal),
            JournalProperties = parsed.GetValue(_journalProperties)!,
        };

    private static string? GetFile(string? text) => text is null || LatencyProfiles.Names.Contains(text) || FaultCatalogue.Names.Contains(text) ? null : text;
}
