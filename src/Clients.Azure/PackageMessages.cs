namespace EventHubThroughput.Clients.Azure;

/// <summary>What the packages say of a failure.</summary>
internal static class PackageMessages
{
    /// <summary>Without what they append: where to read on, and whole headers.</summary>
    public static string FirstLine(string message) => message.Split('\n', 2)[0].TrimEnd();
}
