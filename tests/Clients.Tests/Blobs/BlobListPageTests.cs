using System.Text;
using EventHubThroughput.Clients.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>What a service sends as a list is bounded in depth.</summary>
public sealed class BlobListPageTests
{
    [Fact]
    public void A_list_that_is_nested_too_deep_is_refused()
    {
        // Read by recursion, so many elements end the stack, and with it the process.
        const int Depth = 200_000;
        var name = string.Concat(Enumerable.Repeat("<a>", Depth)) + string.Concat(Enumerable.Repeat("</a>", Depth));
        using var body = new MemoryStream(Encoding.UTF8.GetBytes($"<R><Blobs><Blob><Name>{name}</Name><Properties /></Blob></Blobs></R>"));

        var refused = Assert.Throws<MessagingException>(() => BlobListPage.Parse(body, "archive"));

        Assert.Equal("container 'archive': the list cannot be read", refused.Message);
    }
}
