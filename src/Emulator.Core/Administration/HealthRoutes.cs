namespace EventHubThroughput.Emulator.Administration;

/// <summary>Whether the emulator serves. It answers only while it does.</summary>
internal static class HealthRoutes
{
    /// <summary>The one path that asks for no key: whether the emulator is up is no secret.</summary>
    public const string Path = "/healthz";

    public static void AddTo(AdminRoutes routes) => routes.Map("GET", Path, static _ => AdminAnswer.Text("ready\n"));
}
