using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>A blob endpoint with the container <c>c01</c> on a paused clock, and a raw client of it.</summary>
internal sealed class BlobEndpoint : IAsyncDisposable
{
    private static readonly byte[] Key = [1, 2, 3, 4, 5, 6, 7, 8];

    private BlobEndpoint(BlobService service, VirtualClock clock)
    {
        Service = service;
        Clock = clock;
        Client = new RawBlobClient(service, Key, clock);
        Stranger = new RawBlobClient(service, [9, 9, 9], clock);
    }

    public BlobService Service { get; }

    public VirtualClock Clock { get; }

    public RawBlobClient Client { get; }

    /// <summary>Has another key.</summary>
    public RawBlobClient Stranger { get; }

    public static async Task<BlobEndpoint> StartAsync(CancellationToken cancellationToken, Func<BlobServiceOptions, BlobServiceOptions>? change = null)
    {
        VirtualClock clock = new();
        BlobServiceOptions options = new()
        {
            Key = Key,
            Containers = ["c01"],
            TimeProvider = clock,
        };
        return new BlobEndpoint(await BlobService.StartAsync(change?.Invoke(options) ?? options, cancellationToken), clock);
    }

    public ValueTask DisposeAsync() => Service.DisposeAsync();
}
