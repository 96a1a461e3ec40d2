using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The options of a comparison on the services of the environment.</summary>
/// <param name="settings">The connection settings, if there are any.</param>
internal sealed class ServiceArguments(SettingsResult settings)
{
    /// <summary>The option that answers the question.</summary>
    public const string YesName = "--yes";

    /// <summary>The option that names existing entities.</summary>
    public const string EntitiesName = "--entities";

    private readonly Option<bool> yes = Options.Flag(YesName, "On services: do not ask before entities are created and events are sent");

    private readonly Option<string?> entities = Options.Text(
        EntitiesName,
        "On services: use the entities of this file, a set for each cell, instead of creating them (docs/azure.md)",
        "FILE.json"
    );

    public Option[] All => [yes, entities];

    /// <summary>Whether the comparison runs on services.</summary>
    public bool AreUsed => !settings.IsNone;

    /// <summary>The problems of the settings, and of these options without any.</summary>
    public IEnumerable<string> Problems(CommandResult result) =>
        [
            .. settings.Problems,
            .. settings.IsNone ? All.Where(result.IsGiven).Select(static option => $"{option.Name}: no connection settings are set in the environment") : [],
            // Its key belongs to that entity alone.
            .. settings.Settings is { ServiceBusEntity: { } entity }
                ? [$"SERVICEBUS_CONNECTION_STRING: names the entity '{entity}' (EntityPath). The cells have other queues or topics"]
                : Array.Empty<string>(),
        ];

    /// <summary>The problems of options that belong to an emulator, and of clients that cannot use the settings.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="load">The options of the load.</param>
    /// <param name="search">The option of the search for a rate.</param>
    /// <param name="texts">The compared configurations.</param>
    public IEnumerable<string> LoadProblems(CommandResult result, LoadArguments load, Option<bool> search, IReadOnlyCollection<string> texts)
    {
        if (!AreUsed)
        {
            yield break;
        }

        Option[] ofEmulator = [load.Partitions, load.Profile, load.Topic, load.Faults, load.EmulatorCeiling, load.StartLimit];
        foreach (var option in ofEmulator.Where(result.IsGiven))
        {
            yield return $"{option.Name}: belongs to the emulator, but connection settings are set in the environment";
        }

        if (texts.FirstOrDefault(static text => text.Contains($":{PartitionsPart}=", StringComparison.Ordinal)) is { } own)
        {
            yield return $"'{own}': {PartitionsPart} fills a second hub of the emulator, but connection settings are set in the environment";
        }

        if (result.GetValue(search))
        {
            yield return $"{search.Name}: the number of its events is not known before, so it runs on the emulator only. Compare chosen rates with --rate";
        }
    }

    /// <summary>Why compared clients cannot use the settings.</summary>
    public IEnumerable<string> ClientProblems(IEnumerable<ComparedConfiguration> configurations) =>
        settings.Settings is { } complete ? configurations.SelectMany(one => one.Options.Clients.ProblemsOf(complete)).Distinct(StringComparer.Ordinal) : [];

    /// <summary>The services. Null for an emulator.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="clients">The name of the clients of the command.</param>
    /// <param name="hasEvents">Whether the number of events was chosen.</param>
    /// <exception cref="UsageException">The file of entities cannot be used.</exception>
    public ComparisonServices? Read(CommandResult result, string clients, bool hasEvents) =>
        settings.Settings is { } complete
            ? new ComparisonServices(complete, AvailableComponents.GetFamily(clients))
            {
                Existing = result.GetValue(entities) is { } file ? ExistingCell.Read(file) : null,
                IsConfirmed = result.GetValue(yes),
                HasEvents = hasEvents,
            }
            : null;

    private const string PartitionsPart = "partitions";
}
