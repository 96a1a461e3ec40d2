using System.Text;
using EventHubThroughput.Clients.Blobs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Blobs;

/// <summary>What a service sends as a list is read once, and its depth is limited.</summary>
public sealed class BlobListPageTests
{
    private const string Properties = "<Properties><Etag>0x1</Etag><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified></Properties>";

    [Fact]
    public void A_list_that_is_nested_too_deep_is_refused()
    {
        // Recursive reading of this number of elements overflows the stack, which ends the process.
        const int Depth = 200_000;
        var name = string.Concat(Enumerable.Repeat("<a>", Depth)) + string.Concat(Enumerable.Repeat("</a>", Depth));

        var refused = Assert.Throws<MessagingException>(() => Parse($"<R><Blobs><Blob><Name>{name}</Name><Properties /></Blob></Blobs></R>"));

        Assert.Equal("container 'archive': the list cannot be read", refused.Message);
    }

    [Fact]
    public void A_list_is_read_in_one_pass()
    {
        using ForwardStream body = new(
            Encoding.UTF8.GetBytes(
                $"""
                <?xml version="1.0" encoding="utf-8"?>
                <EnumerationResults ContainerName="archive">
                  <Prefix>a</Prefix>
                  <Blobs>
                    <Blob><Name Encoded="true">a%EF%BF%BE/1</Name>{Properties}<Metadata><Owner>me &amp; you</Owner><empty /></Metadata><Other><a><b /></a></Other></Blob>
                    <BlobPrefix><Name>folder/</Name></BlobPrefix>
                    <Blob>
                      <Properties><Content-Length>12</Content-Length><Etag>"0x2"</Etag><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified>
                      <Content-Type>text/plain</Content-Type></Properties><Name>a%25</Name>
                    </Blob>
                  </Blobs>
                  <NextMarker>more</NextMarker>
                </EnumerationResults>
                """
            )
        );

        var page = BlobListPage.Parse(body, "archive");

        Assert.Equal("more", page.NextMarker);
        DateTimeOffset modified = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        Assert.Equal([("a\uFFFE/1", "0x1", modified, 0L, null), ("a%25", "0x2", modified, 12L, "text/plain")], page.Blobs.Select(Named));
        Assert.Equal([("owner", "me & you"), ("empty", "")], page.Blobs[0].Metadata.Select(static entry => (entry.Key, entry.Value)));
        Assert.Empty(page.Blobs[1].Metadata);
    }

    [Theory]
    [InlineData("")]
    [InlineData("<R />")]
    [InlineData("<R><Blobs><Blob>" + Properties + "</Blob></Blobs></R>")]
    [InlineData("<R><Blobs><Blob><Name>a</Name></Blob></Blobs></R>")]
    [InlineData("<R><Blobs><Blob><Name>a</Name><Properties /></Blob></Blobs></R>")]
    [InlineData("<R><Blobs></Blobs>")]
    [InlineData("<R><Blobs /></R><R />")]
    [InlineData("<!DOCTYPE R [<!ENTITY a 'b'>]><R><Blobs /></R>")]
    public void A_text_that_is_not_a_list_of_blobs_is_refused(string text) => Assert.Throws<MessagingException>(() => Parse(text));

    [Fact]
    public void The_last_page_has_no_marker()
    {
        Assert.Null(Parse("<R><Blobs /><NextMarker /></R>").NextMarker);
        Assert.Null(Parse("<R><Blobs></Blobs></R>").NextMarker);
    }

    private static (string, string, DateTimeOffset, long, string?) Named(BlobProperties blob) =>
        (blob.Name, blob.ETag, blob.LastModified, blob.ContentLength, blob.ContentType);

    private static BlobListPage Parse(string text)
    {
        using ForwardStream body = new(Encoding.UTF8.GetBytes(text));
        return BlobListPage.Parse(body, "archive");
    }

    /// <summary>Can be read once.</summary>
    private sealed class ForwardStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;

        public override long Position
        {
            get => base.Position;
            set => throw new NotSupportedException();
        }
    }
}
