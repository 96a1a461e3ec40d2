using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using static EventHubThroughput.Emulator.Administration.Atom.DescriptionElements;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The queues.</summary>
/// <param name="entities">The registry of the queues.</param>
/// <param name="host">The host of the endpoint, for addresses of entities.</param>
internal sealed class QueueCollection(ServiceBusRegistry entities, string host) : IAtomCollection
{
    public string Title => "Queues";

    public string Element => "QueueDescription";

    public IEnumerable<AtomEntry> All => entities.AllQueues.OrderBy(static queue => queue.Name, StringComparer.OrdinalIgnoreCase).Select(GetEntry);

    public AtomEntry? Find(string name) => entities.FindPresentQueue(name) is { } queue ? GetEntry(queue) : null;

    public CreateVerdict Create(string name, XElement description) => entities.CreateQueue(Read(name, description));

    public bool Change(string name, XElement description)
    {
        if (entities.FindPresentQueue(name) is not { } queue)
        {
            return false;
        }

        var asked = Read(queue.Name, description);
        EntityDescription.RefuseOtherDuplicateDetection("queue", asked.DuplicateDetection, queue.Settings.DuplicateDetection);
        queue.Change(asked);
        return true;
    }

    public bool Delete(string name) => entities.DeleteQueue(name);

    private QueueSettings Read(string name, XElement description)
    {
        var (settings, notes) = EntityDescription.Read(description);
        var queue = EntityReader.Queue(settings.Root, EntityReader.NameOfPath(settings.Root, "queue", name, EmulatedName.PathFault)) with { Notes = notes };
        KnownEntities.CheckForwarding(entities, settings.Root, name, queue);
        settings.ThrowIfWrong();
        return queue;
    }

    private AtomEntry GetEntry(MessageQueue queue)
    {
        var (settings, notes) = (queue.Settings, queue.Settings.Notes);
        return new AtomEntry(
            queue.Name,
            queue.Name,
            notes.Created,
            notes.Changed,
            Description(
                Element,
                Of("LockDuration", AtomText.Of(settings.LockDuration)),
                Size(notes),
                Duplicates(settings.DuplicateDetection, notes),
                Of("RequiresSession", AtomText.Of(false)),
                Of("DefaultMessageTimeToLive", AtomText.Of(settings.TimeToLive)),
                Of("DeadLetteringOnMessageExpiration", AtomText.Of(settings.DeadLetterExpired)),
                Of("MaxDeliveryCount", AtomText.Of(settings.MaximumDeliveryCount)),
                Kept(notes, "EnableBatchedOperations", true),
                Counts(queue.Statistics),
                Of("IsAnonymousAccessible", AtomText.Of(false)),
                GetAuthorization(notes),
                Of("Status", "Active"),
                Forward("ForwardTo", settings.ForwardTo, host),
                Metadata(notes),
                Times(notes, queue.LastUse.Time),
                Kept(notes, "SupportOrdering", true),
                Idle(notes),
                Of("EnablePartitioning", AtomText.Of(false)),
                Of("EntityAvailabilityStatus", "Available"),
                Kept(notes, "EnableExpress", false),
                Forward("ForwardDeadLetteredMessagesTo", settings.ForwardDeadLettersTo, host)
            )
        );
    }
}
