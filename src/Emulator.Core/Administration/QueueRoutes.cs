using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Queues over HTTP: created, listed, shown and deleted.</summary>
internal static class QueueRoutes
{
    public static void AddTo(AdminRoutes routes, ServiceBusRegistry entities)
    {
        routes.Map("GET", "/queues", _ => EntityAnswer.List("queues", All(entities), EntityWriter.Members));
        routes.Map(
            "GET",
            "/queues/{name}",
            request =>
                entities.FindPresentQueue(request["name"]) is { } queue
                    ? EntityAnswer.One(200, queue.Settings, EntityWriter.Members)
                    : EntityAnswer.NotFound("queue", request["name"])
        );
        routes.Map(
            "PUT",
            "/queues/{name}",
            async (request, cancellationToken) =>
            {
                var document = await request.ReadSettingsAsync(cancellationToken);
                var queue = EntityReader.Queue(document.Root, EntityReader.NameOfPath(document.Root, "queue", request["name"], EmulatedName.PathFault));
                KnownEntities.CheckForwarding(entities, document.Root, queue.Name, queue);
                document.ThrowIfWrong();
                return EntityAnswer.Created(
                    () => entities.CreateQueue(queue),
                    "queue",
                    queue.Name,
                    status => EntityAnswer.One(status, queue, EntityWriter.Members)
                );
            }
        );
        routes.Map("DELETE", "/queues/{name}", request => EntityAnswer.Deleted(() => entities.DeleteQueue(request["name"]), "queue", request["name"]));
    }

    private static IOrderedEnumerable<QueueSettings> All(ServiceBusRegistry entities) =>
        entities.AllQueues.Select(static queue => queue.Settings).OrderBy(static queue => queue.Name, StringComparer.OrdinalIgnoreCase);
}
