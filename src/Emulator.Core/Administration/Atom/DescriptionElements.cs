using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The elements of descriptions. Some clients depend on their order, so it is that of the service.</summary>
internal static class DescriptionElements
{
    /// <summary>The access rules of the service. Here one key permits everything, and the rules are only stored.</summary>
    public const string Rules = "AuthorizationRules";

    private const string DefaultSize = "1024";
    private const string DuplicateWindow = "DuplicateDetectionHistoryTimeWindow";

    /// <summary>Creates a description, with the prefix that clients expect on its types.</summary>
    public static XElement Description(string name, params object?[] content) =>
        new(AtomNames.ServiceBus + name, new XAttribute(XNamespace.Xmlns + "i", AtomNames.Instance.NamespaceName), content);

    public static XElement Of(string name, object? value) => new(AtomNames.ServiceBus + name, value);

    public static XElement Size(EntityMetadata notes) => Of("MaxSizeInMegabytes", notes.Kept.GetValueOrDefault("MaxSizeInMegabytes", DefaultSize));

    public static XElement Kept(EntityMetadata notes, string name, bool instead) => Of(name, notes.Kept.GetValueOrDefault(name, AtomText.Of(instead)));

    /// <summary>Null when there is none.</summary>
    public static XElement? Metadata(EntityMetadata notes) =>
        notes.Kept.TryGetValue("UserMetadata", out var text) ? Of("UserMetadata", AtomText.Of(text)) : null;

    public static XElement Idle(EntityMetadata notes) =>
        Of(EntityMetadata.IdleName, notes.Kept.GetValueOrDefault(EntityMetadata.IdleName, AtomText.Of((TimeSpan?)null)));

    public static XElement GetAuthorization(EntityMetadata notes) => notes.Kept.TryGetValue(Rules, out var text) ? XElement.Parse(text) : Of(Rules, null);

    public static IEnumerable<XElement> Duplicates(TimeSpan? window, EntityMetadata notes) =>
        [
            Of(DuplicateWindow, window is null ? notes.Kept.GetValueOrDefault(DuplicateWindow, AtomText.Of(TimeSpan.FromMinutes(10))) : AtomText.Of(window)),
            Of("RequiresDuplicateDetection", AtomText.Of(window is not null)),
        ];

    /// <summary>The target as an address, which is the form that clients request. Null when nothing is forwarded.</summary>
    public static XElement? Forward(string name, string? target, string host) => target is null ? null : Of(name, $"sb://{host}/{target}");

    public static IEnumerable<XElement> Times(EntityMetadata notes, DateTimeOffset? accessed) =>
        [Of("CreatedAt", AtomText.Of(notes.Created)), Of("UpdatedAt", AtomText.Of(notes.Changed)), Of("AccessedAt", AtomText.Of(accessed ?? default))];

    public static IEnumerable<XElement> Counts(QueueStatistics counts) =>
        [
            CountDetails(counts.Active, counts.Dead, counts.Scheduled),
            Of("MessageCount", AtomText.Of(counts.Active + counts.Dead + counts.Scheduled + counts.Deferred)),
            Of("SizeInBytes", AtomText.Of(counts.Bytes)),
        ];

    public static XElement CountDetails(int active, int dead, int scheduled) =>
        new(
            AtomNames.ServiceBus + "CountDetails",
            new XAttribute(XNamespace.Xmlns + "d2p1", AtomNames.Counts.NamespaceName),
            Count("ActiveMessageCount", active),
            Count("DeadLetterMessageCount", dead),
            Count("ScheduledMessageCount", scheduled),
            Count("TransferMessageCount", 0),
            Count("TransferDeadLetterMessageCount", 0)
        );

    private static XElement Count(string name, int value) => new(AtomNames.Counts + name, AtomText.Of(value));
}
