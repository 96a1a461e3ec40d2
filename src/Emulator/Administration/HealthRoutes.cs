namespace EventHubThroughput.Emulator.Administration;

/// <summary>Whether the emulator serves; it answers only while it does.</summary>
internal static class HealthRoutes
{
    public static void AddTo(AdminRoutes routes) => routes.Map("GET", AdminEndpoint.HealthPath, static _ => AdminAnswer.Text("ready\n"));
}
