using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>What the package throws, in the clients' words.</summary>
public sealed class OfficialBlobFailureTests : BlobFailureContract
{
    [Fact]
    public async Task A_refused_connection_names_host_and_port_and_is_unreachable_after_the_limit()
    {
        var port = FreePort.Next();
        using var account = Connect(port, limit: TimeSpan.FromMilliseconds(300));
        MessagingException failure;
        List<FailureKind> kinds = [];
        do
        {
            failure = await Assert.ThrowsAsync<MessagingException>(() => UploadAsync(account.GetContainer("container", RetryOptions.Once)));
            kinds.Add(failure.Kind);
        } while (failure.Kind == FailureKind.Unconnected);

        Assert.Equal(FailureKind.Unreachable, kinds[^1]);
        Assert.Contains($"127.0.0.1:{port} unreachable for 0.3 s", failure.Message, StringComparison.Ordinal);
    }

    private protected override IBlobAccount Connect(int port, Action<ClockDifference>? clockRead = null, Action<OperationStep>? observer = null) =>
        Connect(port, TimeSpan.FromMinutes(1), clockRead, observer);

    // The package waits with a separate clock.
    private static OfficialBlobAccount Connect(int port, TimeSpan limit, Action<ClockDifference>? clockRead = null, Action<OperationStep>? observer = null) =>
        new(
            StorageConnectionString.Parse($"AccountName=acct;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:{port}/acct"),
            null,
            new ClientOptions
            {
                Retry = new RetryOptions
                {
                    FirstDelay = TimeSpan.FromMilliseconds(1),
                    MaximumDelay = TimeSpan.FromMilliseconds(5),
                    UnreachableLimit = limit,
                },
                StorageClockRead = clockRead,
                Observer = observer,
            }
        );
}
