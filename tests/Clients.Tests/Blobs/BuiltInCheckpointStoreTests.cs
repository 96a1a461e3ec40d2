namespace EventHubThroughput.Clients.Tests.Blobs;

public sealed class BuiltInCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, ClientFamily.BuiltIn);
