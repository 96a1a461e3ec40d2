using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Conditional headers, alone and together, as the service's own tables have them.</summary>
public sealed class BlobConditionTests : IAsyncLifetime
{
    private const string Past = "Wed, 31 Dec 2025 00:00:00 GMT";
    private const string Now = "Thu, 01 Jan 2026 00:00:00 GMT";

    private static readonly (string, string) BlockBlob = ("x-ms-blob-type", "BlockBlob");

    private BlobEndpoint? endpoint;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    private RawBlobClient Client => endpoint!.Client;

    public async ValueTask InitializeAsync() => endpoint = await BlobEndpoint.StartAsync(Cancelled);

    public ValueTask DisposeAsync() => endpoint!.DisposeAsync();

    [Fact]
    public async Task Checks_writes_with_and_without_quotes()
    {
        var first = await PutAsync("a", "one");
        var etag = first.Headers["ETag"];

        Assert.Equal((409, "BlobAlreadyExists"), await RefusedPut(("If-None-Match", "*")));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Match", "\"0x0\"")));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Match", "0x0")));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-None-Match", etag)));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Match", "\"0x0")));
        Assert.Equal((400, "InvalidHeaderValue"), await RefusedPut(("If-Modified-Since", "yesterday")));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Unmodified-Since", Past)));
        Assert.Equal("one", (await Client.SendAsync("GET", "/c01/a", Cancelled)).Body);

        var unquoted = await Client.SendAsync("PUT", "/c01/a?comp=metadata", Cancelled, headers: [("If-Match", etag.Trim('"')), ("x-ms-meta-x", "1")]);
        Assert.Equal(200, unquoted.Status);
        Assert.NotEqual(etag, unquoted.Headers["ETag"]);
        Assert.Equal(201, (await PutAsync("a", "two", ("If-Match", unquoted.Headers["ETag"]))).Status);
        Assert.Equal(201, (await PutAsync("a", "three", ("If-Match", "*"))).Status);
        Assert.Equal(412, (await PutAsync("absent", "x", ("If-Match", "*"))).Status);
    }

    [Fact]
    public async Task Gives_a_write_one_condition_with_one_ETag()
    {
        var etag = (await PutAsync("a", "one")).Headers["ETag"];

        Assert.Equal((400, "MultipleConditionHeadersNotSupported"), await RefusedPut(("If-None-Match", "*"), ("If-Match", etag)));
        Assert.Equal((400, "MultipleConditionHeadersNotSupported"), await RefusedPut(("If-Match", etag), ("If-Modified-Since", Past)));
        Assert.Equal((400, "MultipleConditionHeadersNotSupported"), await RefusedPut(("If-Modified-Since", Past), ("If-Unmodified-Since", Now)));
        Assert.Equal((400, "InvalidHeaderValue"), await RefusedPut(("If-Match", $"{etag}, \"0x0\"")));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-None-Match", etag), ("If-Modified-Since", Past)));
        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Match", "0x0"), ("If-Unmodified-Since", Now)));
        Assert.Equal(201, (await PutAsync("a", "two", ("If-Match", etag), ("If-Unmodified-Since", Past))).Status);
        Assert.Equal(201, (await PutAsync("a", "three", ("If-None-Match", "0x0"), ("If-Modified-Since", Now))).Status);
    }

    /// <summary>Each condition of a read is met, missed, or not given.</summary>
    [Theory]
    [InlineData(200, null, null, null, null)]
    [InlineData(200, true, null, null, null)]
    [InlineData(412, false, null, null, null)]
    [InlineData(412, null, null, null, false)]
    [InlineData(304, null, false, null, null)]
    [InlineData(304, null, null, false, null)]
    [InlineData(200, null, true, false, null)]
    [InlineData(200, null, false, true, null)]
    [InlineData(304, null, false, false, null)]
    [InlineData(412, false, null, false, null)]
    [InlineData(304, true, null, false, null)]
    [InlineData(304, true, null, false, true)]
    [InlineData(200, true, true, true, true)]
    [InlineData(200, true, true, false, true)]
    [InlineData(200, true, false, true, true)]
    [InlineData(412, true, false, true, false)]
    [InlineData(412, false, true, false, true)]
    [InlineData(412, true, false, false, false)]
    public async Task Weighs_the_conditions_of_a_read_together(int status, bool? match, bool? noneMatch, bool? modified, bool? unmodified)
    {
        var etag = (await PutAsync("a", "one")).Headers["ETag"];
        List<(string, string)> headers = [];
        Add("If-Match", match, $"\"0x0\", {etag}", "\"0x0\"");
        Add("If-None-Match", noneMatch, "\"0x0\"", $"\"0x0\", {etag}");
        Add("If-Modified-Since", modified, Past, Now);
        Add("If-Unmodified-Since", unmodified, Now, Past);

        Assert.Equal(status, (await Client.SendAsync("GET", "/c01/a", Cancelled, headers: [.. headers])).Status);
        Assert.Equal(status, (await Client.SendAsync("HEAD", "/c01/a?comp=metadata", Cancelled, headers: [.. headers])).Status);

        void Add(string name, bool? met, string good, string bad)
        {
            if (met is { } isMet)
            {
                headers.Add((name, isMet ? good : bad));
            }
        }
    }

    /// <summary>A malformed ETag belongs to no blob: for a write, a read and the source of a copy alike.</summary>
    [Theory]
    [InlineData("{0}invalid")]
    [InlineData("\"{0}\"")]
    [InlineData("\"0x0")]
    public async Task An_If_Match_value_that_is_not_an_ETag_matches_no_blob(string form)
    {
        var match = form.Replace("{0}", (await PutAsync("a", "one")).Headers["ETag"], StringComparison.Ordinal);

        Assert.Equal((412, "ConditionNotMet"), await RefusedPut(("If-Match", match)));
        foreach (
            (var method, var path) in new[]
            {
                ("GET", "/c01/a"),
                ("HEAD", "/c01/a"),
                ("GET", "/c01/a?comp=metadata"),
                ("PUT", "/c01/a?comp=metadata"),
                ("DELETE", "/c01/a"),
            }
        )
        {
            var answer = await Client.SendAsync(method, path, Cancelled, headers: ("If-Match", match));
            Assert.Equal((412, "ConditionNotMet"), (answer.Status, answer.Code));
        }

        var copy = await Client.SendAsync(
            "PUT",
            "/c01/b",
            Cancelled,
            headers: [("x-ms-copy-source", $"{endpoint!.Service.Endpoint}/c01/a"), ("x-ms-source-if-match", match)]
        );
        Assert.Equal((412, "SourceConditionNotMet"), (copy.Status, copy.Code));
    }

    [Theory]
    [InlineData("GET", "/c01/a")]
    [InlineData("HEAD", "/c01/a")]
    [InlineData("GET", "/c01/a?comp=metadata")]
    [InlineData("HEAD", "/c01/absent")]
    public async Task No_read_can_meet_the_condition_that_there_is_nothing(string method, string path)
    {
        await PutAsync("a", "one");

        var answer = await Client.SendAsync(method, path, Cancelled, headers: ("If-None-Match", "*"));
        Assert.Equal((400, "UnsatisfiableCondition"), (answer.Status, answer.Code));
    }

    private Task<RawAnswer> PutAsync(string name, string body, params (string, string)[] headers) =>
        Client.SendAsync("PUT", $"/c01/{name}", Cancelled, body, [BlockBlob, .. headers]);

    private async Task<(int, string?)> RefusedPut(params (string, string)[] headers)
    {
        var answer = await PutAsync("a", "refused", headers);
        return (answer.Status, answer.Code);
    }
}
