using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

public sealed class BuiltInBlobContainerTests(BlobFixture fixture) : BlobContainerContract(fixture, ClientFamily.BuiltIn)
{
    [Fact]
    public async Task Keeps_dots_in_a_name_as_they_are()
    {
        const string name = "a/../b/./c";
        await Container.UploadAsync(new BlobUpload { Name = name, Content = new byte[] { 1 } }, Cancelled);

        Assert.NotNull(await Container.GetPropertiesAsync(name, Cancelled));
        Assert.Null(await Container.GetPropertiesAsync("b/c", Cancelled));
    }
}

public sealed class BuiltInCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, ClientFamily.BuiltIn);
