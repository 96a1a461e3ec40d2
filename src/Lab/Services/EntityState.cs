using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using EventHubThroughput.Clients;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Services;

/// <summary>The entities that a comparison may have created, as its state file names them. It contains no secret.</summary>
/// <param name="Comparison">The name of the comparison, which owns them.</param>
/// <param name="EventHubNamespace">The host of the event hub.</param>
/// <param name="EventHub">The event hub.</param>
/// <param name="ServiceBusNamespace">The host of queues and topics.</param>
/// <param name="Storage">The host and port of the storage account.</param>
/// <param name="Entities">All entities.</param>
internal sealed record EntityState(
    string Comparison,
    string EventHubNamespace,
    string EventHub,
    string ServiceBusNamespace,
    string Storage,
    IReadOnlyList<ServiceEntity> Entities
)
{
    // A comparison has at most 100 blocks and as many discarded ones.
    private const int LargestSize = 64 * 1024 * 1024;
    private const string Extension = ".entities.json";

    /// <summary>The name of the state file of a comparison.</summary>
    public static string GetFileName(string comparison) => comparison + Extension;

    /// <summary>The state of a comparison on the services of the settings.</summary>
    public static EntityState Of(MessagingSettings settings, string comparison, IReadOnlyList<ServiceEntity> entities) =>
        new(
            comparison,
            settings.GetAddress(ProbedService.EventHubs).Host,
            settings.EventHubName,
            settings.GetAddress(ProbedService.ServiceBus).Host,
            GetAuthority(settings.GetAddress(ProbedService.Storage)),
            entities
        );

    /// <summary>Reads a state file.</summary>
    /// <param name="option">The option that names it.</param>
    /// <param name="path">The file.</param>
    /// <param name="settings">The services of the environment, which must be those of the file.</param>
    /// <exception cref="UsageException">It is missing, is not a state file, or names other services.</exception>
    public static EntityState Read(string option, string path, MessagingSettings settings)
    {
        var called = $"{option} {path}";
        var state =
            TryParse(NamedFile.Read(called, path, LargestSize)) ?? throw new UsageException($"{called}: not the state file of a comparison (*{Extension})");
        if (state.Entities.FirstOrDefault(static one => !(one.Topic ?? one.Name).StartsWith(ServiceEntity.Prefix, StringComparison.Ordinal)) is { } foreign)
        {
            throw new UsageException($"{called}: '{foreign.Name}' does not begin with {ServiceEntity.Prefix}, so no comparison created it");
        }

        var now = Of(settings, state.Comparison, state.Entities);
        return Differences(state, now).ToList() is { Count: > 0 } differences
            ? throw new UsageException([.. differences.Select(difference => $"{called}: {difference}")])
            : state;
    }

    /// <summary>The content of the file.</summary>
    public byte[] ToJson() => JsonSerializer.SerializeToUtf8Bytes(this, EntityStateJson.Default.EntityState);

    private static string GetAuthority(ServiceAddress address) => string.Create(CultureInfo.InvariantCulture, $"{address.Host}:{address.Port}");

    private static EntityState? TryParse(byte[] json)
    {
        try
        {
            return JsonSerializer.Deserialize(json, EntityStateJson.Default.EntityState);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static IEnumerable<string> Differences(EntityState state, EntityState now) =>
        from pair in (IEnumerable<(string Variable, string Then, string Now)>)
            [
                ("EVENTHUB_CONNECTION_STRING", state.EventHubNamespace, now.EventHubNamespace),
                ("EVENTHUB_NAME", state.EventHub, now.EventHub),
                ("SERVICEBUS_CONNECTION_STRING", state.ServiceBusNamespace, now.ServiceBusNamespace),
                ("STORAGE_CONNECTION_STRING", state.Storage, now.Storage),
            ]
        where !string.Equals(pair.Then, pair.Now, StringComparison.OrdinalIgnoreCase)
        select $"its entities are on '{pair.Then}', and the environment ({pair.Variable}) names '{pair.Now}'";
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true
)]
[JsonSerializable(typeof(EntityState))]
internal sealed partial class EntityStateJson : JsonSerializerContext;
