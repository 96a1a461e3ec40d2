using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The latency profile over HTTP: shows it with the observed latencies, or replaces it.</summary>
internal static class ProfileRoutes
{
    public static void AddTo(AdminRoutes routes, LatencyInjection faultInjection)
    {
        routes.Map("GET", "/profile", _ => Describe(faultInjection));
        routes.Map(
            "PUT",
            "/profile",
            async (request, cancellationToken) =>
            {
                faultInjection.Use(ProfileReader.Read(await request.ReadSettingsAsync(cancellationToken)));
                return Describe(faultInjection);
            }
        );
    }

    private static AdminAnswer Describe(LatencyInjection faultInjection) =>
        AdminAnswer.Json(
            200,
            json =>
            {
                json.WriteStartObject("profile");
                ProfileText.Write(json, faultInjection.Profile);
                json.WriteEndObject();
                ObservedText.Write(json, faultInjection.Observed);
            }
        );
}
