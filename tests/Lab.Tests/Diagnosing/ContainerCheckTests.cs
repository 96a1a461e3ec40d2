using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Diagnosing;
using EventHubThroughput.Processing.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Diagnosing;

public sealed class ContainerCheckTests
{
    private readonly MemoryBlobs blobs = new();

    [Fact]
    public async Task A_container_with_all_rights_is_ok_and_empty_afterwards()
    {
        var result = await RunAsync();

        Assert.Equal(CheckResult.Ok("container", "'archive': a blob was written, read and deleted"), result);
        Assert.Equal((1, 0), (blobs.Uploads, blobs.Blobs.Count));
    }

    [Theory]
    [InlineData("list", "list")]
    [InlineData("delete", "delete")]
    public async Task Nothing_is_written_without_the_right_that_removes_it(string verb, string right)
    {
        Refuse(verb);

        var result = await RunAsync();

        Assert.Equal((CheckOutcome.Failed, 0), (result.Outcome, blobs.Uploads));
        Assert.Equal($"refused: needs the right to {right} blobs on container 'archive'", result.Text);
    }

    [Fact]
    public async Task A_blob_that_cannot_be_read_is_removed()
    {
        Refuse("download");

        var result = await RunAsync();

        Assert.Equal("refused: needs the right to read blobs on container 'archive'", result.Text);
        Assert.Equal((1, 0), (blobs.Uploads, blobs.Blobs.Count));
    }

    [Fact]
    public async Task A_write_without_an_answer_is_removed()
    {
        blobs.After = static (verb, _) => verb == "upload" ? throw new MessagingException(FailureKind.Transient, "lost") : Task.CompletedTask;

        var result = await RunAsync();

        Assert.Equal((CheckOutcome.Failed, "lost"), (result.Outcome, result.Text));
        Assert.Empty(blobs.Blobs);
    }

    [Fact]
    public async Task A_check_that_is_stopped_removes_its_blob()
    {
        using var stop = new CancellationTokenSource();
        blobs.Before = (verb, _) => verb == "download" ? stop.CancelAsync() : Task.CompletedTask;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => RunAsync(cancellationToken: stop.Token));

        Assert.Equal((1, 0), (blobs.Uploads, blobs.Blobs.Count));
    }

    [Fact]
    public async Task A_blob_that_cannot_be_removed_is_named()
    {
        blobs.After = (verb, _) =>
        {
            Refuse("delete");
            return Task.CompletedTask;
        };

        var result = await RunAsync();

        Assert.Equal("refused: needs the right to delete blobs on container 'archive'. The blob 'eht-doctor-1' may remain", result.Text);
    }

    [Theory]
    [InlineData(true, "copy the key of the account again, correct the clock, or allow this machine in the firewall of the account")]
    [InlineData(false, "assign the role 'Storage Blob Data Contributor' on container 'archive' to the identity, and wait some minutes")]
    public async Task The_cure_is_that_of_the_credential(bool hasKey, string cure)
    {
        Refuse("upload");

        Assert.Equal(cure, (await RunAsync(hasKey)).Cure);
    }

    private void Refuse(string refused) =>
        blobs.Before = (verb, _) => verb == refused ? throw new MessagingException(FailureKind.Unauthorized, "refused") : Task.CompletedTask;

    private Task<CheckResult> RunAsync(bool hasKey = true, CancellationToken? cancellationToken = null) =>
        new ContainerCheck(blobs, "eht-doctor-1", "STORAGE_CONTAINER", hasKey, new CheckLimit(TimeSpan.FromMinutes(1), TimeProvider.System)).RunAsync(
            cancellationToken ?? TestContext.Current.CancellationToken
        );
}
