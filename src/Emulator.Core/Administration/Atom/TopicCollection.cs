using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;
using static EventHubThroughput.Emulator.Administration.Atom.DescriptionElements;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The topics.</summary>
/// <param name="entities">The registry of the topics.</param>
/// <param name="withFilterCounts">Whether the version of the request has the counts of filters.</param>
internal sealed class TopicCollection(ServiceBusRegistry entities, bool withFilterCounts) : IAtomCollection
{
    public string Title => "Topics";

    public string Element => "TopicDescription";

    public IEnumerable<AtomEntry> All => entities.AllTopics.OrderBy(static topic => topic.Name, StringComparer.OrdinalIgnoreCase).Select(GetEntry);

    public AtomEntry? Find(string name) => entities.FindTopic(name) is { } topic ? GetEntry(topic) : null;

    public CreateVerdict Create(string name, XElement description)
    {
        var asked = Read(name, description);

        // For a topic that exists, the registry would add the missing subscriptions.
        return entities.FindTopic(name) is null ? entities.CreateTopic(asked) : CreateVerdict.Exists;
    }

    public bool Change(string name, XElement description)
    {
        if (entities.FindTopic(name) is not { } topic)
        {
            return false;
        }

        var asked = Read(topic.Name, description);
        EntityDescription.RefuseOtherDuplicateDetection("topic", asked.DuplicateDetection, topic.Settings.DuplicateDetection);
        topic.Change(asked);
        return true;
    }

    public bool Delete(string name) => entities.DeleteTopic(name);

    private static TopicSettings Read(string name, XElement description)
    {
        var (settings, notes) = EntityDescription.Read(description);
        var topic = EntityReader.Topic(settings.Root, EntityReader.NameOfPath(settings.Root, "topic", name, EmulatedName.PathFault)) with { Notes = notes };
        settings.ThrowIfWrong();
        return topic;
    }

    // The service counts a rule that accepts everything or nothing as an SQL rule (Azure/azure-sdk-for-go, pull request 27323).
    private static IEnumerable<XElement> FilterCounts(Topic topic)
    {
        List<SubscriptionRule> rules = [.. topic.Subscriptions.SelectMany(static subscription => subscription.Rules)];
        var correlations = rules.Count(static rule => rule.Filter is CorrelationFilter);
        return [Of("SqlFilterCount", AtomText.Of(rules.Count - correlations)), Of("CorrelationFilterCount", AtomText.Of(correlations))];
    }

    private AtomEntry GetEntry(Topic topic)
    {
        var (settings, statistics) = (topic.Settings, topic.Statistics);
        var notes = settings.Notes;
        return new AtomEntry(
            topic.Name,
            topic.Name,
            notes.Created,
            notes.Changed,
            Description(
                Element,
                Of("DefaultMessageTimeToLive", AtomText.Of(settings.TimeToLive)),
                Size(notes),
                Duplicates(settings.DuplicateDetection, notes),
                Kept(notes, "EnableBatchedOperations", true),
                Of("SizeInBytes", AtomText.Of(statistics.Subscriptions.Sum(static subscription => subscription.Bytes))),
                Of("FilteringMessagesBeforePublishing", AtomText.Of(false)),
                Of("IsAnonymousAccessible", AtomText.Of(false)),
                GetAuthorization(notes),
                Of("Status", "Active"),
                Metadata(notes),
                Times(notes, topic.LastUse.Time),
                Kept(notes, "SupportOrdering", true),
                CountDetails(0, 0, statistics.Scheduled),
                Of("SubscriptionCount", AtomText.Of(statistics.Subscriptions.Count)),
                withFilterCounts ? FilterCounts(topic) : null,
                Idle(notes),
                Of("EnablePartitioning", AtomText.Of(false)),
                Of("EnableSubscriptionPartitioning", AtomText.Of(false)),
                Of("EntityAvailabilityStatus", "Available"),
                Kept(notes, "EnableExpress", false)
            )
        );
    }
}
