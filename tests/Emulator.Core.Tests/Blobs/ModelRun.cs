using System.Text;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>One sequence of steps: the endpoint over its folder, its clock, and the model beside it.</summary>
internal sealed class ModelRun : IAsyncDisposable
{
    private readonly DurableBlobs blobs;
    private readonly VirtualClock clock;

    private ModelRun(DurableBlobs blobs, VirtualClock clock)
    {
        this.blobs = blobs;
        this.clock = clock;
        Client = new PlainBlobClient(blobs.Service);
    }

    public BlobModel Model { get; } = new();

    public PlainBlobClient Client { get; private set; }

    /// <summary>The codes of all refusals that came.</summary>
    public HashSet<string> Refusals { get; } = [];

    public Uri Endpoint => blobs.Service.Endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public static async Task<ModelRun> StartAsync()
    {
        VirtualClock time = new();
        return new ModelRun(await DurableBlobs.StartAsync(time, Cancelled), time);
    }

    public async Task<RawAnswer> SendAsync(string method, string path, string body, params (string, string)[] headers)
    {
        var answer = await Client.SendAsync(method, "/c01" + path, Encoding.Latin1.GetBytes(body), Cancelled, headers);
        if (answer.Code is { } code)
        {
            Refusals.Add(code);
        }

        return answer;
    }

    public void Advance(int seconds)
    {
        clock.Advance(TimeSpan.FromSeconds(seconds));
        Model.Now += seconds;
    }

    public async Task RestartAsync(bool killed)
    {
        Client.Dispose();
        await (killed ? blobs.KillAsync(Cancelled) : blobs.RestartAsync(Cancelled));
        Client = new PlainBlobClient(blobs.Service);
    }

    /// <summary>Demands the answer of a write, and its new version.</summary>
    /// <returns>The new version, or null when the write was to be refused.</returns>
    public string? Expect(RawAnswer answer, (int Status, string? Code)? refusal, int status)
    {
        Assert.Equal(refusal ?? (status, null), (answer.Status, answer.Code));
        if (refusal is not null || !answer.Headers.TryGetValue("ETag", out var etag))
        {
            return null;
        }

        Assert.True(Model.ETags.Add(etag), $"version {etag} was given twice");
        return etag;
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await blobs.DisposeAsync();
    }
}
