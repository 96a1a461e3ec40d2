using EventHubThroughput.Clients.Tests.Blobs;
using EventHubThroughput.OfficialBlobs;

namespace EventHubThroughput.Clients.Tests.OfficialBlobs;

public sealed class OfficialCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, OfficialBlobClients.Family);
