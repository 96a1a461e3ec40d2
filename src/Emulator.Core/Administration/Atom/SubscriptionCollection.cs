using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using static EventHubThroughput.Emulator.Administration.Atom.DescriptionElements;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The subscriptions of a topic.</summary>
/// <param name="entities">The registry of the topics.</param>
/// <param name="topic">The topic.</param>
/// <param name="host">The host of the endpoint, for addresses of entities.</param>
internal sealed class SubscriptionCollection(ServiceBusRegistry entities, Topic topic, string host) : IAtomCollection
{
    /// <summary>The path segment that clients and the service use.</summary>
    public const string Segment = "Subscriptions";

    private const string FirstRule = "DefaultRuleDescription";

    public string Title => Segment;

    public string Element => "SubscriptionDescription";

    public IEnumerable<AtomEntry> All =>
        topic.Subscriptions.OrderBy(static subscription => subscription.Settings.Name, StringComparer.OrdinalIgnoreCase).Select(GetEntry);

    public AtomEntry? Find(string name) => topic.Find(name) is { } subscription ? GetEntry(subscription) : null;

    public CreateVerdict Create(string name, XElement description)
    {
        var settings = Read(name, description);
        return description.Element(AtomNames.ServiceBus + FirstRule) is { } rule
            ? entities.CreateSubscription(topic.Name, settings, subscription => RuleCollection.PutFirst(subscription, rule))
            : entities.CreateSubscription(topic.Name, settings);
    }

    public bool Change(string name, XElement description) => topic.Change(Read(name, description));

    public bool Delete(string name) => entities.DeleteSubscription(topic.Name, name);

    private QueueSettings Read(string name, XElement description)
    {
        var (settings, notes) = EntityDescription.Read(description, FirstRule);
        var subscription = EntityReader.Subscription(settings.Root, EntityReader.NameOfPath(settings.Root, "subscription", name, EmulatedName.Fault)) with
        {
            Notes = notes,
        };
        KnownEntities.CheckForwarding(entities, settings.Root, topic.Name, subscription);
        settings.ThrowIfWrong();
        return subscription;
    }

    private AtomEntry GetEntry(Subscription subscription)
    {
        var (settings, notes) = (subscription.Settings, subscription.Settings.Notes);
        return new AtomEntry(
            $"{topic.Name}/{Segment}/{settings.Name}",
            settings.Name,
            notes.Created,
            notes.Changed,
            Description(
                Element,
                Of("LockDuration", AtomText.Of(settings.LockDuration)),
                Of("RequiresSession", AtomText.Of(false)),
                Of("DefaultMessageTimeToLive", AtomText.Of(settings.TimeToLive)),
                Of("DeadLetteringOnMessageExpiration", AtomText.Of(settings.DeadLetterExpired)),
                Kept(notes, "DeadLetteringOnFilterEvaluationExceptions", true),
                Counts(subscription.Queue.Statistics),
                Of("MaxDeliveryCount", AtomText.Of(settings.MaximumDeliveryCount)),
                Kept(notes, "EnableBatchedOperations", true),
                Of("Status", "Active"),
                Forward("ForwardTo", settings.ForwardTo, host),
                Times(notes, subscription.Queue.LastUse.Time),
                Metadata(notes),
                Forward("ForwardDeadLetteredMessagesTo", settings.ForwardDeadLettersTo, host),
                Idle(notes),
                Of("EntityAvailabilityStatus", "Available")
            )
        );
    }
}
