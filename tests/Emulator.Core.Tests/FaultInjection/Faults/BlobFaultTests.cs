using System.Net.Sockets;
using System.Text;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Core.Tests.Blobs;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Journal;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>What befalls blob requests, over HTTP as bytes and in the journal.</summary>
public sealed class BlobFaultTests : IAsyncLifetime
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"blob-faults-{Guid.NewGuid():N}.journal");
    private readonly DeadlineQueue _deadlines = new();
    private JournalWriter _writer = null!;
    private FaultEngine _engine = null!;
    private BlobEndpoint _endpoint = null!;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _writer = JournalWriter.Open(_path);
        _engine = new FaultEngine(_writer, _deadlines, 1);
        var faultInjection = new LatencyInjection(LatencyProfiles.None, 1, _deadlines);
        _endpoint = await BlobEndpoint.StartAsync(
            Cancellation,
            options =>
                options with
                {
                    Journal = _writer,
                    Faults = new BlobFaults(_engine, faultInjection),
                    TimeProvider = new SkewedClock(options.TimeProvider, _engine),
                }
        );
    }

    public async ValueTask DisposeAsync()
    {
        await _endpoint.DisposeAsync();
        await _writer.DisposeAsync();
        _deadlines.Dispose();
        File.Delete(_path);
    }

    [Theory]
    [InlineData("busy", 503, "ServerBusy", "7")]
    [InlineData("internal", 500, "InternalError", "7")]
    [InlineData("timeout", 500, "OperationTimedOut", "7")]
    [InlineData("expired", 403, "AuthenticationFailed", "7")]
    [InlineData("too-many", 429, "TooManyRequests", "7")]
    [InlineData("missing", 404, "ContainerNotFound", "7")]
    public async Task A_refused_upload_has_status_code_and_advice_and_stores_nothing(string reason, int status, string code, string advice)
    {
        Arm($$"""{"name":"own","at":"blobWrite","do":"refuse","reason":"{{reason}}","retryAfterSeconds":7,"limit":1}""");
        var answer = await PutAsync("a");
        Assert.Equal((status, code, advice), (answer.Status, answer.Code, answer.Headers["retry-after"]));
        Assert.Equal(404, (await _endpoint.Client.SendAsync("HEAD", "/c01/a", Cancellation)).Status);
        Assert.Equal(201, (await PutAsync("a")).Status);
        Assert.Equal(("blobWrite", "refuse", "c01/a"), Fault());
    }

    [Fact]
    public async Task A_refusal_has_the_sentence_of_the_blob_service()
    {
        Arm("""{"name":"own","at":"blobWrite","do":"refuse","reason":"busy"}""");
        Assert.Contains("<Message>Operations per second is over the account limit.", (await PutAsync("a")).Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Operations_on_containers_do_not_count_as_reads_of_blobs()
    {
        Arm("""{"name":"own","at":"blobRead","do":"refuse"}""");
        Assert.Equal(201, (await _endpoint.Client.SendAsync("PUT", "/c02?restype=container", Cancellation)).Status);
        Assert.Equal(503, (await _endpoint.Client.SendAsync("HEAD", "/c02/a", Cancellation)).Status);
    }

    [Fact]
    public async Task An_upload_whose_answer_is_lost_is_stored_and_its_connection_gone()
    {
        Arm("""{"name":"F14","every":1}""");
        await GoneAsync(() => PutAsync("a"));
        Assert.Equal(200, (await _endpoint.Client.SendAsync("HEAD", "/c01/a", Cancellation)).Status);
        Assert.Equal([WriteMoment.Begun, WriteMoment.Stored], Records.OfType<BlobWritten>().Select(static record => record.Moment));
        Assert.IsType<FaultInjected>(Records[0]);
    }

    [Theory]
    [InlineData("drop", "")]
    [InlineData("blackHole", ",\"ms\":10")]
    public async Task A_dropped_or_swallowed_upload_is_not_stored(string action, string time)
    {
        Arm($$"""{"name":"own","at":"blobWrite","do":"{{action}}"{{time}},"limit":1}""");
        await GoneAsync(() => PutAsync("a"));
        Assert.Equal(404, (await _endpoint.Client.SendAsync("HEAD", "/c01/a", Cancellation)).Status);
        Assert.Equal(("blobWrite", action, "c01/a"), Fault());
    }

    [Fact]
    public async Task A_read_may_be_cut_in_the_middle()
    {
        await PutAsync("a", new string('x', 1_000));
        Arm("""{"name":"own","at":"blobRead","do":"drop","afterBytes":100}""");
        var body = string.Empty;
        try
        {
            body = (await _endpoint.Client.SendAsync("GET", "/c01/a", Cancellation)).Body;
        }
        catch (IOException)
        {
            // A reset may overtake the bytes before it.
        }

        Assert.InRange(body.Length, 0, 100);
        Assert.Equal(("blobRead", "drop", "c01/a"), Fault());
    }

    [Fact]
    public async Task A_corrupted_upload_differs_in_one_bit()
    {
        Arm("""{"name":"own","at":"blobWrite","do":"corrupt","limit":1}""");
        Assert.Equal(201, (await PutAsync("a", "abc")).Status);
        Assert.Equal("`bc", (await _endpoint.Client.SendAsync("GET", "/c01/a", Cancellation)).Body);
    }

    [Fact]
    public async Task An_ownership_may_be_stolen_and_a_checkpoint_fail()
    {
        Arm("""{"faults":[{"name":"F21","every":1},{"name":"F17-all"}]}""");
        Assert.Equal(201, (await PutAsync("ns/hub/g/ownership/3", "", ("x-ms-meta-ownerid", "me"))).Status);
        Assert.Equal(500, (await PutAsync("ns/hub/g/checkpoint/3", "")).Status);
        Assert.Equal("somebody-else", Assert.Single(Records.OfType<OwnershipWritten>()).Owner);
        Assert.Empty(Records.OfType<CheckpointWritten>());
    }

    [Fact]
    public async Task Lists_deletions_and_checkpoint_reads_have_separate_fault_points()
    {
        await PutAsync("ns/hub/g/checkpoint/3", "");
        foreach (
            var (point, method, path) in ((string, string, string)[])
                [
                    ("blobList", "GET", "/c01?restype=container&comp=list"),
                    ("blobDelete", "DELETE", "/c01/a"),
                    ("checkpointRead", "GET", "/c01/ns/hub/g/checkpoint/3"),
                ]
        )
        {
            Arm($$"""{"name":"{{point}}","at":"{{point}}","do":"refuse","reason":"internal"}""");
            Assert.Equal(500, (await _endpoint.Client.SendAsync(method, path, Cancellation)).Status);
            Assert.Equal(point, Records.OfType<FaultInjected>().Last().Point);
            _engine.Disarm(null);
        }
    }

    [Fact]
    public async Task Blobs_are_dated_by_a_clock_that_may_be_wrong()
    {
        Arm("""{"name":"F28"}""");
        var answer = await PutAsync("a");
        Assert.Equal(_endpoint.Clock.GetUtcNow().AddSeconds(30).ToString("R"), answer.Headers["last-modified"]);
        Assert.Equal("storageClock", Records.OfType<FaultInjected>().Single().Point);
    }

    [Theory]
    [InlineData("""{"name":"own","at":"connect","do":"refuse","service":"blobs","limit":1}""")]
    [InlineData("""{"name":"own","at":"connect","do":"drop","afterBytes":20,"service":"blobs","limit":1}""")]
    [InlineData("""{"name":"own","at":"connect","do":"blackHole","ms":10,"service":"blobs","limit":1}""")]
    public async Task A_connection_may_come_to_nothing_and_the_next_one_lives(string fault)
    {
        Arm(fault);
        await GoneAsync(() => PutAsync("a"));
        Assert.Equal(201, (await PutAsync("b")).Status);
        Assert.Equal("blobs", Records.OfType<FaultInjected>().Single().Target);
    }

    [Fact]
    public async Task A_slow_connection_works_all_the_same()
    {
        Arm("""{"name":"own","at":"connect","do":"slow","bytesPerSecond":50000,"limit":1}""");
        Assert.Equal(201, (await PutAsync("a")).Status);
    }

    private IReadOnlyList<JournalRecord> Records => [.. JournalFile.Open(_path).Records];

    private (string, string, string) Fault() => Records.OfType<FaultInjected>().Select(static fault => (fault.Point, fault.Action, fault.Target)).Single();

    private void Arm(string json) => _engine.Arm(FaultReader.Read(SettingsDocument.Parse("body", Encoding.UTF8.GetBytes(json))));

    private Task<RawAnswer> PutAsync(string name, string body = "abc", params (string, string)[] headers) =>
        _endpoint.Client.SendAsync("PUT", "/c01/" + name, Cancellation, body, [("x-ms-blob-type", "BlockBlob"), .. headers]);

    // Reset or closed, before a whole answer.
    private static async Task GoneAsync(Func<Task<RawAnswer>> send)
    {
        try
        {
            Assert.Equal(0, (await send()).Status);
        }
        catch (Exception exception) when (exception is IOException or SocketException)
        {
            // Reset, perhaps before connecting had returned.
        }
    }
}
