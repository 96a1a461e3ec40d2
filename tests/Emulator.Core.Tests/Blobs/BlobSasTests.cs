using System.Globalization;
using System.Xml.Linq;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Shared access signatures: what they open, what they keep closed, and how the refusals are named.</summary>
public sealed class BlobSasTests : IAsyncLifetime
{
    private static readonly byte[] Key = [1, 2, 3, 4, 5, 6, 7, 8];

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        endpoint = await BlobEndpoint.StartAsync(Cancelled);
        await endpoint.Client.SendAsync("PUT", "/c01/a", Cancelled, "x", ("x-ms-blob-type", "BlockBlob"));
    }

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Theory]
    [InlineData("2015-04-05")]
    [InlineData("2018-11-09")]
    [InlineData("2020-12-06")]
    [InlineData("2026-04-06")]
    public async Task Opens_a_blob_a_container_and_an_account_in_every_version(string version)
    {
        Assert.Equal(200, await GetAsync("/c01/a", Of("b", "r", version)));
        Assert.Equal(200, await GetAsync("/c01/a", Of("c", "r", version)));
        Assert.Equal(200, await GetAsync("/c01/a", Account("r", "b", "o", version)));
        Assert.Equal(200, await GetAsync("/c01?restype=container&comp=list", Account("l", "b", "c", version)));
        Assert.Equal(200, await GetAsync("/?comp=list", Account("l", "bqf", "sco", version)));
    }

    [Theory]
    [InlineData("GET", "/c01/a", "r", "wcdl")]
    [InlineData("HEAD", "/c01/a", "r", "w")]
    [InlineData("PUT", "/c01/a", "w", "r")]
    [InlineData("PUT", "/c01/a?comp=metadata", "w", "rcd")]
    [InlineData("PUT", "/c01/a?comp=properties", "w", "rcd")]
    [InlineData("PUT", "/c01/new?comp=block&blockid=AAAA", "c", "rdl")]
    [InlineData("PUT", "/c01/a?comp=block&blockid=AAAA", "w", "rdl")]
    [InlineData("GET", "/c01/a?comp=blocklist", "r", "w")]
    [InlineData("DELETE", "/c01/a", "d", "rwcl")]
    [InlineData("GET", "/c01?restype=container&comp=list", "l", "rwcd")]
    public async Task Asks_each_operation_for_its_permission(string method, string path, string enough, string tooLittle)
    {
        Assert.Equal((403, "AuthorizationPermissionMismatch"), await RefusalAsync(method, path, Of("c", tooLittle)));
        Assert.InRange((await SendAsync(method, path, Of("c", enough))).Status, 200, 202);
    }

    [Fact]
    public async Task Creating_alone_writes_over_nothing()
    {
        Assert.Equal((403, "UnauthorizedBlobOverwrite"), await RefusalAsync("PUT", "/c01/a", Of("c", "c")));
        Assert.Equal((403, "UnauthorizedBlobOverwrite"), await RefusalAsync("PUT", "/c01/a?comp=block&blockid=AAAA", Of("c", "c")));
        Assert.Equal(201, (await SendAsync("PUT", "/c01/new", Of("c", "c"))).Status);
    }

    [Fact]
    public async Task Deleting_alone_breaks_leases_and_takes_none()
    {
        (string, string)[] acquire = [("x-ms-lease-action", "acquire"), ("x-ms-lease-duration", "-1")];
        var refused = await SendAsync("PUT", "/c01/a?comp=lease", Of("b", "d"), acquire);
        Assert.Equal((403, "AuthorizationPermissionMismatch"), (refused.Status, refused.Code));
        refused = await SendAsync("PUT", "/c01?restype=container&comp=lease", Account("d", "b", "c"), acquire);
        Assert.Equal((403, "AuthorizationPermissionMismatch"), (refused.Status, refused.Code));

        Assert.Equal(201, (await SendAsync("PUT", "/c01/a?comp=lease", Of("b", "w"), acquire)).Status);
        Assert.Equal(202, (await SendAsync("PUT", "/c01/a?comp=lease", Of("b", "d"), ("x-ms-lease-action", "break"))).Status);
    }

    [Fact]
    public async Task Stays_within_its_resource()
    {
        Assert.Equal((403, "AuthenticationFailed"), await RefusalAsync("GET", "/c01/b", Of("b", "r")));
        Assert.Equal((403, "AuthorizationPermissionMismatch"), await RefusalAsync("GET", "/c01?restype=container", Of("c", "rwdl")));
        Assert.Equal((403, "AuthorizationPermissionMismatch"), await RefusalAsync("DELETE", "/c01?restype=container", Of("c", "rwdl")));
        Assert.Equal((403, "AuthorizationPermissionMismatch"), await RefusalAsync("GET", "/c01?restype=container&comp=acl", Account("rwdl", "b", "sco")));
        Assert.Equal((403, "AuthorizationResourceTypeMismatch"), await RefusalAsync("GET", "/c01/a", Account("rl", "b", "sc")));
        Assert.Equal((403, "AuthorizationResourceTypeMismatch"), await RefusalAsync("GET", "/?comp=list", Account("rl", "b", "co")));
        Assert.Equal((403, "AuthorizationServiceMismatch"), await RefusalAsync("GET", "/c01/a", Account("r", "qf", "sco")));
    }

    [Fact]
    public async Task Holds_from_its_start_to_its_expiry()
    {
        var fields = Of("b", "r");
        fields["st"] = Time(60);
        Assert.Equal(403, await GetAsync("/c01/a", fields));
        endpoint!.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(200, await GetAsync("/c01/a", fields));
        endpoint.Clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal((403, "AuthenticationFailed"), await RefusalAsync("GET", "/c01/a", fields));
    }

    [Theory]
    [InlineData("spr", "https", "AuthorizationProtocolMismatch")]
    [InlineData("spr", "https,http", null)]
    [InlineData("sip", "10.0.0.1", "AuthorizationSourceIPMismatch")]
    [InlineData("sip", "10.0.0.1-10.0.0.9", "AuthorizationSourceIPMismatch")]
    [InlineData("sip", "127.0.0.1", null)]
    [InlineData("sip", "127.0.0.0-127.0.0.255", null)]
    [InlineData("si", "policy", "AuthenticationFailed")]
    [InlineData("skoid", "someone", "AuthenticationFailed")]
    [InlineData("sv", "2014-02-14", "AuthenticationFailed")]
    [InlineData("se", "tomorrow", "AuthenticationFailed")]
    [InlineData("sr", "d", "AuthenticationFailed")]
    public async Task Checks_the_other_fields(string name, string value, string? code)
    {
        var fields = Of("b", "r");
        fields[name] = value;
        Assert.Equal((code is null ? 200 : 403, code), await RefusalAsync("GET", "/c01/a", fields));
    }

    [Theory]
    [InlineData("sv", null, "sv is mandatory. Cannot be empty")]
    [InlineData("sv", "2014-02-14", "sv is older than 2015-04-05, the oldest version that is supported here")]
    [InlineData("sv", "latest", "Signature fields not well formed.")]
    [InlineData("sr", null, "sr is mandatory. Cannot be empty")]
    [InlineData("sr", "d", "sr is not one of the resources that are supported here: b and c")]
    [InlineData("se", null, "se is mandatory. Cannot be empty")]
    [InlineData("se", "tomorrow", "Signature fields not well formed.")]
    [InlineData("st", "yesterday", "Signature fields not well formed.")]
    [InlineData("sp", "", "sp is mandatory. Cannot be empty")]
    [InlineData("si", "policy", "SAS identifier cannot be found for specified signed identifier")]
    [InlineData("skoid", "someone", "skoid: signatures with a user delegation key cannot be checked here")]
    public async Task The_answer_names_the_wrong_field_of_a_shared_access_signature(string name, string? value, string detail)
    {
        var fields = Of("b", "r");
        fields.Remove(name);
        if (value is not null)
        {
            fields[name] = value;
        }

        Assert.Equal(detail, await DetailAsync("/c01/a", fields.ContainsKey("sr") ? Sign("/c01/a", fields) : new(fields) { ["sig"] = "AAAA" }));
    }

    [Fact]
    public async Task The_answer_has_the_text_that_should_have_been_signed_and_no_secret()
    {
        var signed = Sign("/c01/a", Of("c", "r"));
        var text = StorageSasSignature.BlobStringToSign(signed.GetValueOrDefault, RawBlobClient.Account, "c01", blob: null);
        foreach (var signature in new[] { "AAAA", SharedKeySignature.Sign(text, [9, 9, 9]) })
        {
            var answer = await SendSignedAsync("GET", "/c01/a", new(signed) { ["sig"] = signature });

            Assert.Equal("Signature did not match. String to sign used was " + text, Detail(answer));
            Assert.DoesNotContain(signed["sig"], answer.Body, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(60)]
    [InlineData(null)]
    public async Task The_answer_has_the_valid_time_frame_of_the_signature(int? start)
    {
        var shown = string.Empty;
        var fields = Of("b", "r");
        var begin = endpoint!.Clock.GetUtcNow();
        if (start is { } seconds)
        {
            fields["st"] = Time(seconds);
            shown = $"Start [{begin.AddSeconds(seconds):R}] - ";
        }
        else
        {
            endpoint.Clock.Advance(TimeSpan.FromHours(1));
        }

        Assert.Equal(
            $"Signature not valid in the specified time frame: {shown}Expiry [{begin.AddHours(1):R}] - Current [{endpoint.Clock.GetUtcNow():R}]",
            await DetailAsync("/c01/a", Sign("/c01/a", fields))
        );
    }

    [Fact]
    public async Task Any_change_after_signing_is_refused()
    {
        var signed = Sign("/c01/a", Of("b", "r"));
        foreach (var name in signed.Keys.ToArray())
        {
            Dictionary<string, string> changed = new(signed) { [name] = signed[name] + "0" };
            var answer = await SendSignedAsync("GET", "/c01/a", changed);
            Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
        }
    }

    [Fact]
    public async Task Lets_the_address_name_headers_of_the_answer()
    {
        var fields = Of("b", "r");
        fields["rsct"] = "text/csv";
        fields["rscd"] = "attachment; filename=a.csv";
        var answer = await SendAsync("GET", "/c01/a", fields);

        Assert.Equal(("text/csv", "attachment; filename=a.csv"), (answer.Headers["Content-Type"], answer.Headers["Content-Disposition"]));
        var keyed = await endpoint!.Client.SendAsync("GET", "/c01/a?rsct=text%2Fcsv", Cancelled);
        Assert.Equal("application/octet-stream", keyed.Headers["Content-Type"]);
    }

    [Fact]
    public void Signs_what_the_documentation_lists()
    {
        Dictionary<string, string> fields = new()
        {
            ["sp"] = "r",
            ["se"] = "e",
            ["sv"] = "2020-12-06",
            ["sr"] = "b",
            ["ss"] = "b",
            ["srt"] = "o",
            ["rsct"] = "t",
        };
        Assert.Equal(
            "r\n\ne\n/blob/acc/con/b l/ob\n\n\n\n2020-12-06\nb\n\n\n\n\n\n\nt",
            StorageSasSignature.BlobStringToSign(fields.GetValueOrDefault, "acc", "con", "b l/ob")
        );
        Assert.Equal("acc\nr\nb\no\n\ne\n\n\n2020-12-06\n\n", StorageSasSignature.AccountStringToSign(fields.GetValueOrDefault, "acc"));
    }

    private Dictionary<string, string> Of(string resource, string permissions, string version = "2025-05-05") =>
        new()
        {
            ["sv"] = version,
            ["sr"] = resource,
            ["sp"] = permissions,
            ["se"] = Time(3_600),
        };

    private Dictionary<string, string> Account(string permissions, string services, string types, string version = "2025-05-05") =>
        new()
        {
            ["sv"] = version,
            ["ss"] = services,
            ["srt"] = types,
            ["sp"] = permissions,
            ["se"] = Time(3_600),
        };

    private string Time(int seconds) => endpoint!.Clock.GetUtcNow().AddSeconds(seconds).ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);

    private static Dictionary<string, string> Sign(string path, Dictionary<string, string> fields)
    {
        var names = path.Split('?')[0].Trim('/').Split('/', 2);
        var text = fields.GetValueOrDefault("sr") switch
        {
            null => StorageSasSignature.AccountStringToSign(fields.GetValueOrDefault, RawBlobClient.Account),
            "c" => StorageSasSignature.BlobStringToSign(fields.GetValueOrDefault, RawBlobClient.Account, names[0], blob: null),
            _ => StorageSasSignature.BlobStringToSign(
                fields.GetValueOrDefault,
                RawBlobClient.Account,
                names[0],
                names.ElementAtOrDefault(1) == "b" ? "a" : names.ElementAtOrDefault(1)
            ),
        };
        return new Dictionary<string, string>(fields) { ["sig"] = SharedKeySignature.Sign(text, Key) };
    }

    private static string? Detail(RawAnswer answer) => (string?)XElement.Parse(answer.Body).Element("AuthenticationErrorDetail");

    private async Task<string?> DetailAsync(string path, Dictionary<string, string> signed)
    {
        var answer = await SendSignedAsync("GET", path, signed);
        Assert.Equal((403, "AuthenticationFailed"), (answer.Status, answer.Code));
        return Detail(answer);
    }

    private async Task<int> GetAsync(string path, Dictionary<string, string> fields) => (await SendAsync("GET", path, fields)).Status;

    private async Task<(int, string?)> RefusalAsync(string method, string path, Dictionary<string, string> fields)
    {
        var answer = await SendAsync(method, path, fields);
        return (answer.Status, answer.Code);
    }

    private Task<RawAnswer> SendAsync(string method, string path, Dictionary<string, string> fields, params (string Name, string Value)[] more) =>
        SendSignedAsync(method, path, Sign(path, fields), more);

    private Task<RawAnswer> SendSignedAsync(string method, string path, Dictionary<string, string> fields, params (string Name, string Value)[] more)
    {
        var query = string.Join('&', fields.Select(static field => $"{field.Key}={Uri.EscapeDataString(field.Value)}"));
        var target = $"/{RawBlobClient.Account}{path}{(path.Contains('?', StringComparison.Ordinal) ? '&' : '?')}{query}";
        KeyValuePair<string, string>[] headers =
            method == "PUT"
                ?
                [
                    new("Content-Length", "1"),
                    new("x-ms-blob-type", "BlockBlob"),
                    .. more.Select(static header => KeyValuePair.Create(header.Name, header.Value)),
                ]
                : [];
        return endpoint!.Client.SendUnsignedAsync(method, target, headers, method == "PUT" ? "y" : string.Empty, Cancelled);
    }
}
