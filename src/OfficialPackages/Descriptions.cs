using Azure.Messaging.EventHubs;
using Azure.Messaging.ServiceBus;
using Azure.Storage.Blobs;
using EventHubThroughput.OfficialBlobs;

namespace EventHubThroughput.OfficialPackages;

/// <summary>What a run says at its start of the packages that speak.</summary>
internal static class Descriptions
{
    public static string Of(ClientOptions options) =>
        PackageDescription.Of(
            [
                typeof(EventData).Assembly,
                typeof(Azure.Messaging.EventHubs.Primitives.BlobCheckpointStore).Assembly,
                typeof(ServiceBusClient).Assembly,
                typeof(BlobServiceClient).Assembly,
            ],
            options
        ) + "; checkpoints unconditional";
}
