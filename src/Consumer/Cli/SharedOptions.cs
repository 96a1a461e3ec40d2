using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>Options that several commands have.</summary>
internal static class SharedOptions
{
    /// <summary>The option that names a family of clients.</summary>
    public static Option<string> Clients() =>
        Options.Choice(
            "--clients",
            "The clients: the official Azure packages, or the smaller built-in ones",
            AvailableComponents.Clients[0].Name,
            [.. AvailableComponents.Clients.Select(static family => family.Name)]
        );

    /// <summary>The option that names the checkpoint store of the official clients.</summary>
    public static Option<string> CheckpointStore() =>
        Options.Choice(
            "--checkpoint-store",
            OfficialComponents.WithPackageStore is null
                ? "The checkpoint store: this project's"
                : "The checkpoint store: this project's, or that of the Processor package (only with --no-fencing)",
            CheckpointStores.Own,
            OfficialComponents.WithPackageStore is null ? [CheckpointStores.Own] : [CheckpointStores.Own, CheckpointStores.Package],
            OfficialComponents.Absent
        );

    /// <summary>The option that limits the start of the emulator.</summary>
    /// <param name="begin">The first words of the option's help.</param>
    public static Option<TimeSpan> StartLimit(string begin = "") =>
        Options.Duration(
            EmulatorStart.Option,
            $"{begin}how long the emulator may take to start",
            EmulatorStart.UsualLimit,
            EmulatorStart.Shortest,
            EmulatorStart.Longest
        );
}
