using EventHubThroughput.EndToEnd.Tests;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>The variables that an example reads.</summary>
internal static class ExampleSettings
{
    /// <summary>A host reads its configuration: the file of the example, and these. All others read what the emulator prints.</summary>
    public static Dictionary<string, string> Of(string program, EmulatorProcess emulator) =>
        Path.GetFileName(program).EndsWith("HostedHandler", StringComparison.Ordinal)
            ? new(StringComparer.Ordinal)
            {
                ["DOTNET_CONTENTROOT"] = Path.GetDirectoryName(program)!,
                ["ConnectionStrings__hubs"] = emulator.Settings["EVENTHUB_CONNECTION_STRING"],
                ["ConnectionStrings__blobs"] = emulator.Settings["STORAGE_CONNECTION_STRING"],
                ["Orders__EventHubName"] = emulator.Settings["EVENTHUB_NAME"],
                ["Orders__Identifier"] = "orders-1",
            }
            : new(emulator.Settings, StringComparer.Ordinal);
}
