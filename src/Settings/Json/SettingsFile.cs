namespace EventHubThroughput.Settings.Json;

// A file of limited size, or one line that says why it cannot be had.
internal static class SettingsFile
{
    public static byte[] Read(string path, int limit) => NamedFile.Read(path, path, limit);
}
