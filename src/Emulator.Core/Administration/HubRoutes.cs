using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Hubs over HTTP: created, listed, shown and deleted.</summary>
internal static class HubRoutes
{
    public static void AddTo(AdminRoutes routes, EventHubRegistry hubs)
    {
        routes.Map(
            "GET",
            "/hubs",
            _ =>
                EntityAnswer.List(
                    "hubs",
                    hubs.All.OrderBy(static hub => hub.Name, StringComparer.OrdinalIgnoreCase).Select(static hub => hub.Settings),
                    EntityWriter.Members
                )
        );
        routes.Map(
            "GET",
            "/hubs/{name}",
            request =>
                hubs.FindPresent(request["name"]) is { } hub
                    ? EntityAnswer.One(200, hub.Settings, EntityWriter.Members)
                    : EntityAnswer.NotFound("hub", request["name"])
        );
        routes.Map(
            "PUT",
            "/hubs/{name}",
            async (request, cancellationToken) =>
            {
                var document = await request.ReadSettingsAsync(cancellationToken);
                var hub = EntityReader.Hub(document.Root, EntityReader.NameOfPath(document.Root, "hub", request["name"], EmulatedName.Fault));
                document.ThrowIfWrong();
                return EntityAnswer.Created(
                    () => hubs.Create(hub),
                    "hub",
                    hub.Name,
                    status => EntityAnswer.One(status, hubs.Find(hub.Name)?.Settings ?? hub, EntityWriter.Members)
                );
            }
        );
        routes.Map("DELETE", "/hubs/{name}", request => EntityAnswer.Deleted(() => hubs.Delete(request["name"]), "hub", request["name"]));
    }
}
