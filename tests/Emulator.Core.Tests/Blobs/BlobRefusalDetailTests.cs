using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The answer to a refused signature in the header: all of it from the request itself.</summary>
public sealed class BlobRefusalDetailTests : IAsyncLifetime
{
    private const string Target = "/devstoreaccount1/c01?restype=container";

    private static readonly byte[] Key = [1, 2, 3, 4, 5, 6, 7, 8];

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled);

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task The_answer_to_a_wrong_signature_has_the_text_to_sign_and_no_secret()
    {
        (var sent, var text, var right) = Signatures("/c01?restype=container");
        var answer = await endpoint!.Stranger.SendAsync("GET", "/c01?restype=container", Cancelled);

        Assert.Equal(
            $"The MAC signature found in the HTTP request '{sent}' is not the same as any computed signature. Server used following string to sign: '{text}'.",
            Detail(answer)
        );
        Assert.DoesNotContain(right, answer.Body, StringComparison.Ordinal);
        Assert.DoesNotContain(Convert.ToBase64String(Key), answer.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_text_to_sign_that_XML_cannot_represent_is_shown_with_replacements()
    {
        var answer = await endpoint!.Stranger.SendAsync("GET", "/c01?restype=container&prefix=%00%EF%BF%BF%3C", Cancelled);

        Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
        Assert.EndsWith("\nprefix:\ufffd\ufffd<\nrestype:container'.", Detail(answer), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(-16, "Request date header too old: '{0}'")]
    [InlineData(16, "Request date header too far ahead: '{0}'")]
    public async Task A_date_outside_of_the_allowed_range_is_reported(int minutes, string detail)
    {
        var date = endpoint!.Clock.GetUtcNow().AddMinutes(minutes).ToString("R", CultureInfo.InvariantCulture);

        Assert.Equal(string.Format(CultureInfo.InvariantCulture, detail, date), await DetailAsync(new("x-ms-date", date), Authorization("AAAA")));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Tue, 7 Apr 2026 10:00:00 GMT")]
    [InlineData("2026-04-07T10:00:00Z")]
    public async Task A_malformed_date_is_reported(string date) =>
        Assert.Equal("The Date header in the request is incorrect.", await DetailAsync(new("x-ms-date", date), Authorization("AAAA")));

    [Theory]
    [InlineData("SharedKeyLite devstoreaccount1:AAAA", "The Authorization header is not of the form 'SharedKey ACCOUNT:SIGNATURE'.")]
    [InlineData("SharedKey devstoreaccount1", "The Authorization header is not of the form 'SharedKey ACCOUNT:SIGNATURE'.")]
    [InlineData("SharedKey other:AAAA", "The account of the Authorization header is not the one of this address.")]
    public async Task An_authorization_header_of_another_form_is_reported(string authorization, string detail)
    {
        var date = endpoint!.Clock.GetUtcNow().ToString("R", CultureInfo.InvariantCulture);

        Assert.Equal(detail, await DetailAsync(new("x-ms-date", date), new("Authorization", authorization)));
    }

    [Fact]
    public async Task The_answer_to_a_request_without_a_signature_has_no_detail() => Assert.Null(await DetailAsync());

    private static KeyValuePair<string, string> Authorization(string signature) => new("Authorization", $"SharedKey devstoreaccount1:{signature}");

    private static string? Detail(RawAnswer answer) => (string?)XElement.Parse(answer.Body).Element("AuthenticationErrorDetail");

    private (string Sent, string Text, string Right) Signatures(string path)
    {
        var headers = endpoint!.Stranger.Sign("GET", path);
        var sent = headers[^1].Value.Split(':')[1];
        headers.RemoveAt(headers.Count - 1);
        var text = SharedKeySignature.StringToSign("GET", [.. headers], "/devstoreaccount1" + path, "devstoreaccount1");
        return (sent, text, SharedKeySignature.Sign(text, Key));
    }

    private async Task<string?> DetailAsync(params KeyValuePair<string, string>[] headers)
    {
        var answer = await endpoint!.Client.SendUnsignedAsync("GET", Target, headers, string.Empty, Cancelled);
        Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
        return Detail(answer);
    }
}
