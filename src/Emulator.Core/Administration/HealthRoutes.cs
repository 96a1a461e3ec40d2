namespace EventHubThroughput.Emulator.Administration;

/// <summary>Answers only while the emulator serves.</summary>
internal static class HealthRoutes
{
    /// <summary>The one path that needs no key. Whether the emulator runs is public.</summary>
    public const string Path = "/healthz";

    public static void AddTo(AdminRoutes routes) => routes.Map("GET", Path, static _ => AdminAnswer.Text("ready\n"));
}
