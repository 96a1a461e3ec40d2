using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using static EventHubThroughput.Emulator.Administration.Atom.DescriptionElements;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The consumer groups of an event hub.</summary>
internal sealed class ConsumerGroupCollection(EventHub hub) : IAtomCollection
{
    /// <summary>The path segment that clients and the service use.</summary>
    public const string Segment = "ConsumerGroups";

    private const string UserMetadata = "UserMetadata";

    public string Title => Segment;

    public string Element => "ConsumerGroupDescription";

    public IEnumerable<AtomEntry> All => hub.Groups.OrderBy(static group => group.Name, StringComparer.OrdinalIgnoreCase).Select(GetEntry);

    public AtomEntry? Find(string name) => hub.FindGroup(name) is { } group ? GetEntry(group) : null;

    public CreateVerdict Create(string name, XElement description)
    {
        var metadata = ReadMetadata(description);
        return EmulatedName.GroupFault(name) is { } fault
            ? throw new AtomException(400, $"'{AtomText.Shown(name)}': {fault}")
            : hub.CreateGroup(name, metadata);
    }

    public bool Change(string name, XElement description) => hub.ChangeGroup(name, ReadMetadata(description));

    public bool Delete(string name) =>
        string.Equals(name, EventHub.DefaultGroup, StringComparison.OrdinalIgnoreCase)
            ? throw new AtomException(400, $"The consumer group '{EventHub.DefaultGroup}' cannot be deleted.")
            : hub.DeleteGroup(name);

    // The other properties of a description can only be read. Clients that change a group send them back.
    private static string? ReadMetadata(XElement description)
    {
        var text = description.Element(AtomNames.ServiceBus + UserMetadata)?.Value;
        return text?.Length > EntityDescription.LongestMetadata
            ? throw new AtomException(400, $"'{UserMetadata}': longer than {EntityDescription.LongestMetadata} characters")
            : text;
    }

    private AtomEntry GetEntry(ConsumerGroup group)
    {
        var settings = group.Settings;
        return new AtomEntry(
            $"{hub.Name}/{Segment}/{group.Name}",
            group.Name,
            settings.CreatedAt,
            settings.ChangedAt,
            Description(
                Element,
                Of("CreatedAt", AtomText.Of(settings.CreatedAt)),
                Of("UpdatedAt", AtomText.Of(settings.ChangedAt)),
                settings.UserMetadata is { } text ? Of(UserMetadata, AtomText.Of(text)) : null
            )
        );
    }
}
