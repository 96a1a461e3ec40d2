using System.Text;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Core.Tests.Storage;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The memory limit counts all memory that a client can make the endpoint hold. It never locks the data of an earlier run out.</summary>
public sealed class BlobMemoryTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Counts_headers_copy_sources_lists_of_blocks_and_names()
    {
        MemoryBudget budget = new(16 * 1024 * 1024);
        await using var service = await BlobService.StartAsync(
            new BlobServiceOptions
            {
                Key = [1],
                Containers = ["c01"],
                AllowAnonymous = true,
                Budget = budget,
            },
            Cancelled
        );
        using PlainBlobClient client = new(service);
        string[] names = ["content-type", "content-encoding", "content-language", "cache-control", "content-disposition"];
        (string, string)[] headers = [.. names.Select(static name => ($"x-ms-blob-{name}", new string('v', 5_000)))];

        Assert.InRange(await CostAsync(() => client.PutAsync("headers", [], Cancelled, headers)), 50_000, 52_000);
        Assert.InRange(await CostAsync(() => client.SendAsync("PUT", "/c01/headers?comp=properties", body: null, Cancelled)), -52_000, -49_000);

        var source = $"{service.Endpoint}/c01/" + new string('s', 900);
        await client.PutAsync(new string('s', 900), [], Cancelled);
        Assert.InRange(await CostAsync(() => client.SendAsync("PUT", "/c01/copy", body: null, Cancelled, ("x-ms-copy-source", source))), 1_800, 4_000);

        string name = new('n', 1_000);
        Assert.InRange(await CostAsync(() => client.SendAsync("PUT", $"/c01/{name}?comp=block&blockid=AAAA", [], Cancelled)), 2_000, 4_000);
        var list = Encoding.UTF8.GetBytes($"<BlockList>{string.Concat(Enumerable.Repeat("<Latest>AAAA</Latest>", 10_000))}</BlockList>");
        Assert.InRange(await CostAsync(() => client.SendAsync("PUT", $"/c01/{name}?comp=blocklist", list, Cancelled)), 80_000, 84_000);

        await client.SendAsync("DELETE", "/c01?restype=container", body: null, Cancelled);
        Assert.Equal(0, budget.UsedBytes);

        async Task<long> CostAsync(Func<Task<RawAnswer>> write)
        {
            var before = budget.UsedBytes;
            Assert.InRange((await write()).Status, 200, 202);
            return budget.UsedBytes - before;
        }
    }

    [Fact]
    public async Task Holds_little_of_what_has_gone_to_the_disk_and_gives_it_back()
    {
        var budget = SpillingMemory.Create();
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { Budget = budget, AllowAnonymous = true });
        using PlainBlobClient client = new(endpoint.Service);
        var body = string.Concat(Enumerable.Range(0, 50_000));
        (string, string)[] headers = [("x-ms-meta-a", new string('v', 5_000)), ("x-ms-blob-content-type", "text/plain")];
        Assert.Equal(201, (await client.PutAsync("blob", Encoding.UTF8.GetBytes(body), Cancelled, headers)).Status);
        Assert.InRange(budget.UsedBytes, 1, 3_000);

        var answer = await client.SendAsync("GET", "/c01/blob", body: null, Cancelled);
        Assert.Equal(body, answer.Body);
        Assert.Equal(new string('v', 5_000), answer.Headers["x-ms-meta-a"]);
        Assert.Equal("text/plain", answer.Headers["Content-Type"]);

        await client.SendAsync("DELETE", "/c01/blob", body: null, Cancelled);
        Assert.Equal(0, budget.UsedBytes);
    }

    [Fact]
    public async Task Starts_again_when_it_was_full()
    {
        await using var blobs = await DurableBlobs.StartAsync(new VirtualClock(), Cancelled);
        blobs.MemoryLimit = 60_000;
        await blobs.RestartAsync(Cancelled);
        var metadata = ("x-ms-meta-a", new string('v', 5_000));
        long used;
        using (PlainBlobClient client = new(blobs.Service))
        {
            // Read back after the full container, it needs more for a moment than is left.
            await client.SendAsync("PUT", "/c02?restype=container", body: null, Cancelled);
            for (var i = 0; i < 3; i++)
            {
                Assert.Equal(201, (await client.SendAsync("PUT", "/c02/same", body: null, Cancelled, ("x-ms-blob-type", "BlockBlob"), metadata)).Status);
            }

            await client.SendAsync("PUT", "/c01/waiting?comp=block&blockid=AAAA", new byte[10], Cancelled);
            var stored = 0;
            while ((await client.PutAsync($"b{stored}", [], Cancelled, stored % 2 == 0 ? [metadata] : [])).Status == 201)
            {
                stored++;
            }

            Assert.InRange(stored, 4, 20);
            used = blobs.Budget.UsedBytes;
        }

        await blobs.RestartAsync(Cancelled);
        Assert.Equal(used, blobs.Budget.UsedBytes);
        await ServesWhatIsThereAsync(blobs);

        // A limit that was lowered meanwhile loses nothing either: new writes wait until there is room.
        blobs.MemoryLimit = used / 2;
        await blobs.RestartAsync(Cancelled);
        await ServesWhatIsThereAsync(blobs);
    }

    private static async Task ServesWhatIsThereAsync(DurableBlobs blobs)
    {
        using PlainBlobClient client = new(blobs.Service);
        Assert.Equal(200, (await client.GetAsync("b0", Cancelled)).Status);
        Assert.Equal(200, (await client.SendAsync("GET", "/c02/same", body: null, Cancelled)).Status);
        Assert.Equal(503, (await client.PutAsync("new", [], Cancelled, ("x-ms-meta-a", new string('v', 7_000)))).Status);
    }
}
