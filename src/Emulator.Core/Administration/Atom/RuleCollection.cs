using System.Xml.Linq;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The rules of a subscription. The requirements of the management over AMQP apply here too.</summary>
/// <param name="topic">The topic's name.</param>
/// <param name="subscription">The subscription.</param>
internal sealed class RuleCollection(string topic, Subscription subscription) : IAtomCollection
{
    /// <summary>The path segment that clients and the service use.</summary>
    public const string Segment = "Rules";

    private const int Conflict = 409;

    public string Title => Segment;

    public string Element => "RuleDescription";

    public IEnumerable<AtomEntry> All => subscription.Rules.OrderBy(static rule => rule.Name, StringComparer.OrdinalIgnoreCase).Select(GetEntry);

    /// <summary>Gives a new subscription this rule in place of the rule that accepts everything.</summary>
    public static void PutFirst(Subscription subscription, XElement description)
    {
        var name = description.Element(AtomNames.ServiceBus + "Name")?.Value ?? SubscriptionRule.DefaultName;
        Replace(subscription, SubscriptionRule.DefaultName, name, description);
    }

    public AtomEntry? Find(string name) =>
        subscription.Rules.FirstOrDefault(rule => string.Equals(rule.Name, name, StringComparison.OrdinalIgnoreCase)) is { } rule ? GetEntry(rule) : null;

    public CreateVerdict Create(string name, XElement description)
    {
        var answer = new RuleManagement(subscription).Add(RuleDescription.Read(name, description));
        return answer.Status == Conflict ? CreateVerdict.Exists : ThrowUnlessDone(answer, CreateVerdict.Created);
    }

    public bool Change(string name, XElement description) => Replace(subscription, name, name, description);

    public bool Delete(string name) => subscription.TryRemove(name);

    private static bool Replace(Subscription subscription, string old, string name, XElement description)
    {
        var request = RuleDescription.Read(name, description);
        return subscription.TryReplace(old, () => ThrowUnlessDone(new RuleManagement(subscription).Add(request), done: true));
    }

    // An unsupported feature is reported as a bad request, because clients retry every server error.
    private static T ThrowUnlessDone<T>(Answer answer, T done) =>
        answer.Status switch
        {
            200 => done,
            403 => throw new AtomException(403, answer.Description),
            _ => throw new AtomException(400, answer.Description),
        };

    private AtomEntry GetEntry(SubscriptionRule rule) =>
        new(
            $"{topic}/{SubscriptionCollection.Segment}/{subscription.Settings.Name}/{Segment}/{Uri.EscapeDataString(rule.Name)}",
            rule.Name,
            rule.Created,
            rule.Created,
            RuleDescription.Write(rule)
        );
}
