using System.Text.Json;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Blob containers over HTTP. The blob endpoint itself creates and deletes them too.</summary>
internal static class ContainerRoutes
{
    public static void AddTo(AdminRoutes routes, BlobStore store)
    {
        routes.Map("GET", "/containers", _ => EntityAnswer.List("containers", store.All().Select(static container => container.Name), Name));
        routes.Map(
            "GET",
            "/containers/{name}",
            request =>
                store.Find(request["name"], out _) is null ? EntityAnswer.One(200, request["name"], Name) : EntityAnswer.NotFound("container", request["name"])
        );
        routes.Map(
            "PUT",
            "/containers/{name}",
            async (request, cancellationToken) =>
            {
                var document = await request.ReadSettingsAsync(cancellationToken);
                var name = request["name"];
                document.ThrowIfWrong();
                return EmulatedName.ContainerFault(name) is { } fault
                    ? throw new UsageException($"container '{name}': {fault}")
                    : EntityAnswer.Created(() => store.CreateAsAsked(name), "container", name, status => EntityAnswer.One(status, name, Name));
            }
        );
        routes.Map("DELETE", "/containers/{name}", request => EntityAnswer.Deleted(() => store.Delete(request["name"]) is null, "container", request["name"]));
    }

    private static void Name(Utf8JsonWriter json, string name) => json.WriteString("name", name);
}
