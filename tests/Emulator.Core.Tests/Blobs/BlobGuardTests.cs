using System.Globalization;
using System.Text;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Unsigned requests are answered to programs of this machine, not to pages in its browsers.</summary>
public sealed class BlobGuardTests
{
    private const string Target = "/devstoreaccount1/c01?restype=container&comp=list";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("Host: pages.example\r\n", 403)]
    [InlineData("Host: pages.example:PORT\r\n", 403)]
    [InlineData("Host: 127.0.0.1.pages.example:PORT\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://pages.example\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:1\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 403)]
    [InlineData("Host: pages.example\r\nAuthorization: Bearer token\r\n", 403)]
    [InlineData("Host: 127.0.0.1:PORT\r\n", 200)]
    [InlineData("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 200)]
    [InlineData("Host: localhost:PORT\r\n", 200)]
    [InlineData("Host: [::1]:PORT\r\n", 200)]
    [InlineData("Host: \r\n", 200)]
    public async Task Anonymous_requests_come_from_no_other_page(string headers, int status)
    {
        await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, static options => options with { AllowAnonymous = true });

        var answer = await SendAsync(endpoint, Target, headers);
        Assert.Equal((status, status == 200 ? null : "AuthorizationFailure"), (answer.Status, answer.Code));
    }

    [Fact]
    public async Task Signed_requests_may_name_any_host_and_origin()
    {
        foreach (var anonymous in new[] { false, true })
        {
            await using var endpoint = await BlobEndpoint.StartAsync(Cancelled, options => options with { AllowAnonymous = anonymous });
            var signed = string.Concat(
                endpoint.Client.Sign("GET", Target["/devstoreaccount1".Length..]).Select(static pair => $"{pair.Key}: {pair.Value}\r\n")
            );

            Assert.Equal(200, (await SendAsync(endpoint, Target, $"Host: pages.example\r\nOrigin: http://pages.example\r\n{signed}")).Status);
        }
    }

    private static Task<RawAnswer> SendAsync(BlobEndpoint endpoint, string target, string headers)
    {
        var port = endpoint.Service.Port.ToString(CultureInfo.InvariantCulture);
        var request = $"GET {target} HTTP/1.1\r\nConnection: close\r\n{headers.Replace("PORT", port, StringComparison.Ordinal)}\r\n";
        return endpoint.Client.SendBytesAsync(Encoding.ASCII.GetBytes(request), Cancelled);
    }
}
