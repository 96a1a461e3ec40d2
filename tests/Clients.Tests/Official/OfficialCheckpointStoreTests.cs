using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.Tests.Blobs;

namespace EventHubThroughput.Clients.Tests.Official;

public sealed class OfficialCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, OfficialClients.Family);
