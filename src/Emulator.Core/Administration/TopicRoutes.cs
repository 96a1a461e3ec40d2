using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Topics and their subscriptions over HTTP: created, listed, shown and deleted.</summary>
internal static class TopicRoutes
{
    private const string One = "/topics/{name}";
    private const string Subscriptions = "/topics/{name}/subscriptions";
    private const string Subscription = "/topics/{name}/subscriptions/{subscription}";

    public static void AddTo(AdminRoutes routes, ServiceBusRegistry entities)
    {
        routes.Map("GET", "/topics", _ => EntityAnswer.List("topics", All(entities), EntityWriter.Members));
        routes.Map(
            "GET",
            One,
            request =>
                Find(entities, request) is { } topic ? EntityAnswer.One(200, topic, EntityWriter.Members) : EntityAnswer.NotFound("topic", request["name"])
        );
        routes.Map("PUT", One, (request, cancellationToken) => CreateAsync(entities, request, cancellationToken));
        routes.Map("DELETE", One, request => EntityAnswer.Deleted(() => entities.DeleteTopic(request["name"]), "topic", request["name"]));
        routes.Map(
            "GET",
            Subscriptions,
            request =>
                Find(entities, request) is { } topic
                    ? EntityAnswer.List("subscriptions", topic.Subscriptions, EntityWriter.Members)
                    : EntityAnswer.NotFound("topic", request["name"])
        );
        routes.Map(
            "GET",
            Subscription,
            request =>
                FindSubscription(entities, request) is { } found
                    ? EntityAnswer.One(200, found, EntityWriter.Members)
                    : EntityAnswer.NotFound("subscription", request["subscription"])
        );
        routes.Map("PUT", Subscription, (request, cancellationToken) => SubscribeAsync(entities, request, cancellationToken));
        routes.Map(
            "DELETE",
            Subscription,
            request =>
                EntityAnswer.Deleted(() => entities.DeleteSubscription(request["name"], request["subscription"]), "subscription", request["subscription"])
        );
    }

    private static async Task<AdminAnswer> CreateAsync(ServiceBusRegistry entities, AdminRequest request, CancellationToken cancellationToken)
    {
        var document = await request.ReadSettingsAsync(cancellationToken);
        var name = EntityReader.NameOfPath(document.Root, "topic", request["name"], EmulatedName.PathFault);
        var topic = new EntitySetReader(KnownEntities.Of(entities)).ReadTopic(document.Root, name);
        document.ThrowIfWrong();
        return EntityAnswer.Created(() => entities.CreateTopic(topic), "topic", name, status => EntityAnswer.One(status, topic, EntityWriter.Members));
    }

    private static async Task<AdminAnswer> SubscribeAsync(ServiceBusRegistry entities, AdminRequest request, CancellationToken cancellationToken)
    {
        var document = await request.ReadSettingsAsync(cancellationToken);
        var subscription = EntityReader.Subscription(
            document.Root,
            EntityReader.NameOfPath(document.Root, "subscription", request["subscription"], EmulatedName.Fault)
        );
        KnownEntities.CheckForwarding(entities, document.Root, request["name"], subscription);
        document.ThrowIfWrong();
        return Find(entities, request) is null
            ? EntityAnswer.NotFound("topic", request["name"])
            : EntityAnswer.Created(
                () => entities.CreateSubscription(request["name"], subscription),
                "subscription",
                subscription.Name,
                status => EntityAnswer.One(status, subscription, EntityWriter.Members)
            );
    }

    private static IOrderedEnumerable<TopicSettings> All(ServiceBusRegistry entities) =>
        entities.AllTopics.Select(KnownEntities.GetSettings).OrderBy(static topic => topic.Name, StringComparer.OrdinalIgnoreCase);

    private static TopicSettings? Find(ServiceBusRegistry entities, AdminRequest request) =>
        entities.FindTopic(request["name"]) is { } topic ? KnownEntities.GetSettings(topic) : null;

    private static QueueSettings? FindSubscription(ServiceBusRegistry entities, AdminRequest request) =>
        entities.FindTopic(request["name"])?.Find(request["subscription"])?.Described;
}
