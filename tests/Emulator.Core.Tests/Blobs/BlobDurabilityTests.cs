using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Answered writes are there after a restart and after a kill. Dead bytes leave the disk. Content is not held in memory.</summary>
public sealed class BlobDurabilityTests : IAsyncLifetime
{
    private const int Mebibyte = 1024 * 1024;

    private readonly VirtualClock clock = new();
    private DurableBlobs? blobs;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private DurableBlobs Blobs => blobs!;

    public async ValueTask InitializeAsync() => blobs = await DurableBlobs.StartAsync(clock, Cancelled);

    public ValueTask DisposeAsync() => blobs!.DisposeAsync();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Finds_everything_again(bool killed)
    {
        string etag;
        using (PlainBlobClient client = new(Blobs.Service))
        {
            await client.SendAsync("PUT", "/c02?restype=container", body: null, Cancelled, ("x-ms-meta-owner", "me"));
            await client.SendAsync("PUT", "/gone?restype=container", body: null, Cancelled);
            await client.SendAsync("DELETE", "/gone?restype=container", body: null, Cancelled);
            await client.PutAsync("empty", [], Cancelled);
            await client.PutAsync("small", Bytes(100), Cancelled, ("x-ms-meta-kind", "first"), ("x-ms-blob-content-type", "text/x"));
            await client.PutAsync("large", Bytes(5 * Mebibyte), Cancelled);
            await client.PutAsync("deleted", Bytes(10), Cancelled);
            await client.SendAsync("DELETE", "/c01/deleted", body: null, Cancelled);
            etag = (await client.SendAsync("PUT", "/c01/small?comp=metadata", body: null, Cancelled, ("x-ms-meta-kind", "second"))).Headers["ETag"];
            await client.SendAsync("PUT", "/c01/blocks?comp=block&blockid=AAAA", Bytes(70_000), Cancelled);
            await client.SendAsync("PUT", "/c01/blocks?comp=block&blockid=BBBB", Bytes(30), Cancelled);
            await client.SendAsync(
                "PUT",
                "/c01/blocks?comp=blocklist",
                Encoding.UTF8.GetBytes("<BlockList><Latest>BBBB</Latest><Latest>AAAA</Latest><Latest>BBBB</Latest></BlockList>"),
                Cancelled
            );
            await client.SendAsync("PUT", "/c01/blocks?comp=block&blockid=CCCC", Bytes(40), Cancelled);
            await client.SendAsync("PUT", "/c01/small?comp=lease", body: null, Cancelled, ("x-ms-lease-action", "acquire"), ("x-ms-lease-duration", "-1"));
        }

        await (killed ? Blobs.KillAsync(Cancelled) : Blobs.RestartAsync(Cancelled));

        using (PlainBlobClient client = new(Blobs.Service))
        {
            Assert.Equal("me", (await client.SendAsync("GET", "/c02?restype=container", body: null, Cancelled)).Headers["x-ms-meta-owner"]);
            Assert.Equal(404, (await client.SendAsync("GET", "/gone?restype=container", body: null, Cancelled)).Status);
            Assert.Equal((200, "0"), await Length(client, "empty"));
            var small = await client.GetAsync("small", Cancelled);
            Assert.Equal(
                (Text(Bytes(100)), "text/x", "second", etag),
                (small.Body, small.Headers["Content-Type"], small.Headers["x-ms-meta-kind"], small.Headers["ETag"])
            );
            Assert.Equal(("leased", "infinite"), (small.Headers["x-ms-lease-state"], small.Headers["x-ms-lease-duration"]));
            Assert.Equal(Text(Bytes(5 * Mebibyte)), (await client.GetAsync("large", Cancelled)).Body);
            Assert.Equal(404, (await client.GetAsync("deleted", Cancelled)).Status);
            Assert.Equal(Text([.. Bytes(30), .. Bytes(70_000), .. Bytes(30)]), (await client.GetAsync("blocks", Cancelled)).Body);
            var list = (await client.SendAsync("GET", "/c01/blocks?comp=blocklist&blocklisttype=all", body: null, Cancelled)).Body;
            Assert.Contains("<UncommittedBlocks><Block><Name>CCCC</Name><Size>40</Size></Block></UncommittedBlocks>", list, StringComparison.Ordinal);
            Assert.NotEqual(etag, (await client.PutAsync("other", [], Cancelled)).Headers["ETag"]);
        }
    }

    [Fact]
    public async Task Torn_at_any_byte_it_holds_the_writes_that_were_whole()
    {
        List<(long Length, int Blobs)> acknowledged = [];
        using (PlainBlobClient client = new(Blobs.Service))
        {
            for (var i = 0; i < 3; i++)
            {
                await client.PutAsync($"b{i}", Bytes(20 + i), Cancelled);
                acknowledged.Add((new FileInfo(Blobs.GetLog("c01")).Length, i + 1));
            }
        }

        for (var length = acknowledged[0].Length; length < acknowledged[^1].Length; length += 7)
        {
            await Blobs.KillAsync(Cancelled, folder => Cut(Path.Combine(folder, "containers", "c01.log"), length));
            var expected = acknowledged.Last(entry => entry.Length <= length).Blobs;
            using PlainBlobClient client = new(Blobs.Service);
            for (var i = 0; i < 3; i++)
            {
                var answer = await client.GetAsync($"b{i}", Cancelled);
                Assert.Equal((i < expected ? 200 : 404, i < expected ? Text(Bytes(20 + i)) : answer.Body), (answer.Status, answer.Body));
            }

            for (var i = expected; i < 3; i++)
            {
                await client.PutAsync($"b{i}", Bytes(20 + i), Cancelled);
            }
        }
    }

    [Fact]
    public async Task Refuses_a_log_that_is_damaged_in_its_middle()
    {
        using (PlainBlobClient client = new(Blobs.Service))
        {
            await client.PutAsync("a", Bytes(1_000), Cancelled);
            await client.PutAsync("b", Bytes(1_000), Cancelled);
        }

        var exception = await Assert.ThrowsAsync<EmulatorException>(() =>
            Blobs.KillAsync(Cancelled, static folder => Flip(Path.Combine(folder, "containers", "c01.log"), 700))
        );
        Assert.Contains("checksum differs", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Holds_content_far_beyond_its_memory()
    {
        using PlainBlobClient client = new(Blobs.Service);
        var body = Bytes(8 * Mebibyte);
        for (var i = 0; i < 4; i++)
        {
            Assert.Equal(201, (await client.PutAsync($"big{i}", body, Cancelled)).Status);
        }

        Assert.InRange(Blobs.Budget.UsedBytes, 1, 64 * 1024);
        Assert.Equal(
            Convert.ToHexString(SHA256.HashData(body)),
            Convert.ToHexString(SHA256.HashData(Encoding.Latin1.GetBytes((await client.GetAsync("big3", Cancelled)).Body)))
        );
        var part = await client.GetAsync("big2", Cancelled, ("x-ms-range", $"bytes={(3 * Mebibyte) - 100}-{(3 * Mebibyte) + 99}"));
        Assert.Equal(Text(body[((3 * Mebibyte) - 100)..((3 * Mebibyte) + 100)]), part.Body);
        await client.SendAsync("DELETE", "/c01?restype=container", body: null, Cancelled);
        Assert.Equal(0, Blobs.Budget.UsedBytes);
    }

    [Fact]
    public async Task Gives_dead_bytes_back_and_keeps_what_lives()
    {
        using (PlainBlobClient client = new(Blobs.Service))
        {
            await client.PutAsync("keep", Bytes(3 * Mebibyte), Cancelled);
            await client.SendAsync("PUT", "/c01/waiting?comp=block&blockid=AAAA", Bytes(2 * Mebibyte), Cancelled);
            for (var i = 0; i < 20; i++)
            {
                await client.PutAsync("churn", Bytes((2 * Mebibyte) + i), Cancelled);
            }

            Assert.InRange(new FileInfo(Blobs.GetLog("c01")).Length, 7 * Mebibyte, 24 * Mebibyte);
            Assert.Equal(Text(Bytes(3 * Mebibyte)), (await client.GetAsync("keep", Cancelled)).Body);
        }

        await Blobs.KillAsync(Cancelled);
        using (PlainBlobClient client = new(Blobs.Service))
        {
            await client.SendAsync("PUT", "/c01/waiting?comp=blocklist", Encoding.UTF8.GetBytes("<BlockList><Latest>AAAA</Latest></BlockList>"), Cancelled);
            Assert.Equal(Text(Bytes(2 * Mebibyte)), (await client.GetAsync("waiting", Cancelled)).Body);
            Assert.Equal(Text(Bytes(3 * Mebibyte)), (await client.GetAsync("keep", Cancelled)).Body);
            Assert.Equal(Text(Bytes((2 * Mebibyte) + 19)), (await client.GetAsync("churn", Cancelled)).Body);
        }
    }

    [Fact]
    public async Task An_upload_survives_a_rewrite_in_its_middle()
    {
        using PlainBlobClient client = new(Blobs.Service);
        var body = Bytes(4 * Mebibyte);
        using PausedContent upload = new(body, pauseAfter: 2 * Mebibyte);
        using HttpClient http = new();
        using HttpRequestMessage request = new(HttpMethod.Put, new Uri(Blobs.Service.Endpoint + "/c01/slow")) { Content = upload };
        request.Headers.Add("x-ms-blob-type", "BlockBlob");
        var answer = http.SendAsync(request, Cancelled);
        await upload.Paused.WaitAsync(Cancelled);
        long largest = 0;
        for (var i = 0; i < 20; i++)
        {
            await client.PutAsync("churn", Bytes(2 * Mebibyte), Cancelled);
            largest = Math.Max(largest, new FileInfo(Blobs.GetLog("c01")).Length);
        }

        Assert.InRange(largest, 16 * Mebibyte, 30 * Mebibyte);
        upload.Resume();
        using (var done = await answer)
        {
            Assert.Equal(201, (int)done.StatusCode);
        }

        Assert.Equal(Text(body), (await client.GetAsync("slow", Cancelled)).Body);
    }

    [Fact]
    public async Task Blocks_that_stay_uncommitted_for_a_week_are_forgotten()
    {
        using PlainBlobClient client = new(Blobs.Service);
        await client.SendAsync("PUT", "/c01/a?comp=block&blockid=AAAA", Bytes(10), Cancelled);
        clock.Advance(TimeSpan.FromDays(7));
        Assert.Equal(200, (await client.SendAsync("GET", "/c01/a?comp=blocklist&blocklisttype=all", body: null, Cancelled)).Status);
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(404, (await client.SendAsync("GET", "/c01/a?comp=blocklist&blocklisttype=all", body: null, Cancelled)).Status);
    }

    private static async Task<(int, string)> Length(PlainBlobClient client, string name)
    {
        var answer = await client.GetAsync(name, Cancelled);
        return (answer.Status, answer.Headers["Content-Length"]);
    }

    private static byte[] Bytes(int length)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }

    private static string Text(byte[] bytes) => Encoding.Latin1.GetString(bytes);

    private static void Cut(string file, long length)
    {
        using FileStream stream = new(file, FileMode.Open);
        stream.SetLength(length);
    }

    private static void Flip(string file, long at)
    {
        using FileStream stream = new(file, FileMode.Open);
        stream.Position = at;
        var old = stream.ReadByte();
        stream.Position = at;
        stream.WriteByte((byte)(old ^ 1));
    }
}
