using System.Globalization;
using System.Reflection;
using Azure.Messaging.EventHubs;
using Azure.Messaging.ServiceBus;
using Azure.Storage.Blobs;

namespace EventHubThroughput.OfficialPackages;

/// <summary>Which versions of the packages speak, and how they try again: what their own defaults would hide.</summary>
internal static class Descriptions
{
    public static string Of(ClientOptions options)
    {
        Assembly[] assemblies =
        [
            typeof(EventData).Assembly,
            typeof(Azure.Messaging.EventHubs.Primitives.BlobCheckpointStore).Assembly,
            typeof(ServiceBusClient).Assembly,
            typeof(BlobServiceClient).Assembly,
        ];
        return $"{string.Join(", ", assemblies.Select(Name))}; {Of(options.Retry)}; writes: {Of(options.Writes ?? options.Retry)}; checkpoints unconditional";
    }

    private static string Name(Assembly assembly)
    {
        string? version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return $"{assembly.GetName().Name} {version?.Split('+', 2)[0]}";
    }

    private static string Of(RetryOptions retry) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{retry.MaximumRetries} retries from {retry.FirstDelay.TotalSeconds:0.###} s to {retry.MaximumDelay.TotalSeconds:0.###} s, {retry.TryTimeout.TotalSeconds:0.###} s a try"
        );
}
