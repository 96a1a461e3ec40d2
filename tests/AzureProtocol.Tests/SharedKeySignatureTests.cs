using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class SharedKeySignatureTests
{
    // Published by the vendor for its emulators.
    private const string Key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private const string Recorded = "R9pJMQZwVvhPgtrDeHkHY5f8zpdm2spudzM03TdwoME=";

    private static readonly KeyValuePair<string, string>[] RecordedHeaders =
    [
        new("Host", "127.0.0.1:10000"),
        new("content-length", "0"),
        new("content-type", "application/octet-stream"),
        new("x-ms-version", "2026-04-06"),
        new("x-ms-meta-ownerid", "b88d23ca-4e97-49a8-8b38-7a08a1c873dd"),
        new("X-MS-Blob-Type", "BlockBlob"),
        new("x-ms-date", "Sat, 21 Nov 2026 06:43:20 GMT"),
        new("x-ms-client-request-id", "0bb1f78d-b96e-4baf-9c49-c184a6f5dfe3"),
    ];

    [Fact]
    public void Equals_the_signature_recorded_from_the_official_client()
    {
        var text = SharedKeySignature.StringToSign(
            "PUT",
            RecordedHeaders,
            "/devstoreaccount1/ckpt1795243399128/127.0.0.1/hub1/%24default/ownership/2",
            "devstoreaccount1"
        );

        Assert.Equal(Recorded, SharedKeySignature.Sign(text, Convert.FromBase64String(Key)));
        Assert.True(SharedKeySignature.Matches(text, Convert.FromBase64String(Key), Recorded));
    }

    [Theory]
    [InlineData("/acct/c/b")]
    [InlineData("/acct/c?restype=container&comp=list&include=a&include=b")]
    public void Signs_without_a_string_what_it_signs_as_one(string target)
    {
        // More than fits on the stack, in names of any case and in no order.
        KeyValuePair<string, string>[] headers =
        [
            .. RecordedHeaders,
            .. Enumerable.Range(0, 40).Select(static i => KeyValuePair.Create($"X-ms-Meta-n{i * 7 % 40}", new string('\u00e4', 40))),
        ];
        var key = Convert.FromBase64String(Key);
        var text = SharedKeySignature.StringToSign("PUT", headers, target, "acct");
        var names = text.Split('\n')
            .Where(static line => line.StartsWith("x-ms-", StringComparison.Ordinal))
            .Select(static line => line.Split(':')[0])
            .ToArray();

        Assert.Equal(45, names.Length);
        Assert.Equal(names.Order(StringComparer.Ordinal), names);
        var signature = SharedKeySignature.Sign("PUT", headers, target, "acct", key);
        Assert.Equal(SharedKeySignature.Sign(text, key), signature);
        Assert.True(SharedKeySignature.Matches("PUT", headers, target, "acct", key, signature));
        Assert.False(SharedKeySignature.Matches("GET", headers, target, "acct", key, signature));
    }

    [Theory]
    [InlineData("S9pJMQZwVvhPgtrDeHkHY5f8zpdm2spudzM03TdwoME=")]
    [InlineData("R9pJMQZwVvhPgtrDeHkHY5f8zpdm2spudzM03Tdwo")]
    [InlineData("")]
    [InlineData("not base64 at all")]
    [InlineData("R9pJMQZwVvhPgtrDeHkHY5f8zpdm2spudzM03TdwoMER9pJMQZwVvhPgtrDeHkHY5f8zpdm2spudzM03TdwoME=")]
    public void Refuses_any_other_signature(string presented)
    {
        var text = SharedKeySignature.StringToSign(
            "PUT",
            RecordedHeaders,
            "/devstoreaccount1/ckpt1795243399128/127.0.0.1/hub1/%24default/ownership/2",
            "devstoreaccount1"
        );

        Assert.False(SharedKeySignature.Matches(text, Convert.FromBase64String(Key), presented));
    }

    [Fact]
    public void Signs_the_query_decoded_and_sorted_and_the_path_as_sent()
    {
        var text = SharedKeySignature.StringToSign(
            "GET",
            [new("x-ms-date", "d"), new("Date", "ignored")],
            "/acct/c?restype=container&prefix=127.0.0.1%2Fhub1%2F%24default&Comp=list&include=Metadata",
            "acct"
        );

        Assert.Equal(
            "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:d\n/acct/acct/c\ncomp:list\ninclude:Metadata\nprefix:127.0.0.1/hub1/$default\nrestype:container",
            text
        );
    }

    [Fact]
    public void Keeps_an_empty_metadata_value()
    {
        var text = SharedKeySignature.StringToSign("PUT", [new("x-ms-meta-ownerid", string.Empty)], "/acct/c/b", "acct");

        Assert.EndsWith("\nx-ms-meta-ownerid:\n/acct/acct/c/b", text, StringComparison.Ordinal);
    }
}
