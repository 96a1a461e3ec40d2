using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Interop;

public sealed class JavaScriptBlobTests
{
    [Fact]
    public async Task The_official_client_creates_uploads_lists_reads_and_deletes()
    {
        await using BlobService service = await BlobService.StartAsync(
            new BlobServiceOptions { Key = Guid.NewGuid().ToByteArray() }, TestContext.Current.CancellationToken);
        Dictionary<string, string> environment = new()
        {
            ["STORAGE_CONNECTION_STRING"] = service.ConnectionString,
            ["STORAGE_CONTAINER"] = "made-by-javascript",
        };

        NodeScriptResult result = await NodeScript.RunAsync(
            "blob.mjs", ["@azure/storage-blob"], environment, TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);

        Assert.Equal("""{"pages":[10,10,5],"sizes":3}""", result.EnsureSuccess().Output.Trim());
    }
}
