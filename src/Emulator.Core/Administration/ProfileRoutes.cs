using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.Laboratory;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The latency profile over HTTP: shows it with the observed latencies, or replaces it.</summary>
internal static class ProfileRoutes
{
    public static void AddTo(AdminRoutes routes, LatencyLaboratory laboratory)
    {
        routes.Map("GET", "/profile", _ => Describe(laboratory));
        routes.Map(
            "PUT",
            "/profile",
            async (request, cancellationToken) =>
            {
                laboratory.Use(ProfileReader.Read(await request.ReadSettingsAsync(cancellationToken)));
                return Describe(laboratory);
            }
        );
    }

    private static AdminAnswer Describe(LatencyLaboratory laboratory) =>
        AdminAnswer.Json(
            200,
            json =>
            {
                json.WriteStartObject("profile");
                ProfileText.Write(json, laboratory.Profile);
                json.WriteEndObject();
                ObservedText.Write(json, laboratory.Observed);
            }
        );
}
