using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Durability;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: where data is stored across restarts and beyond memory.</summary>
internal sealed class StorageArguments
{
    private static readonly string[] Policies = ["second", "always", "never"];

    private readonly Option<string?> _data = Options.Text("--data", "folder that keeps all data over a restart, default in memory", "DIR");
    private readonly Option<string?> _spill = Options.Text("--spill", "folder for bodies beyond --memory-limit, default refused", "DIR");
    private readonly Option<string> _sync = Options.Choice("--sync", "when data is forced to the disk", "second", Policies);

    public void AddTo(RootCommand root)
    {
        root.Options.Add(_data);
        root.Options.Add(_sync);
        root.Options.Add(_spill);
    }

    public EmulatorOptions Apply(ParseResult parsed, EmulatorOptions options) =>
        options with
        {
            DataPath = parsed.GetValue(_data),
            SpillPath = parsed.GetValue(_spill),
            Sync = (SyncPolicy)Array.IndexOf(Policies, parsed.GetValue(_sync)),
        };
}
