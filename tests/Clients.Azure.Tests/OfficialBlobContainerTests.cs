using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class OfficialBlobContainerTests(BlobFixture fixture) : BlobContainerContract(fixture, OfficialClients.Family)
{
    private readonly BlobFixture fixture = fixture;

    [Theory]
    [InlineData("a/../b")]
    [InlineData("./a")]
    public async Task Refuses_a_name_that_the_package_would_change(string name)
    {
        await Failure(FailureKind.Permanent, () => Container.UploadAsync(new BlobUpload { Name = name, Content = new byte[] { 1 } }, Cancelled).AsTask());
        await Failure(FailureKind.Permanent, () => Container.GetPropertiesAsync(name, Cancelled));
        await Failure(FailureKind.Permanent, () => Container.DeleteAsync(name, Cancelled));
    }

    [Fact]
    public async Task A_blob_client_reports_the_steps_of_a_write_and_the_clock_of_the_answer()
    {
        List<OperationStep> steps = [];
        List<ClockDifference> clocks = [];
        await using var clients = OfficialClients.Family.Connect(fixture.Settings, new ClientOptions { Observer = steps.Add, StorageClockRead = clocks.Add });
        var container = clients.GetBlobContainer("container");

        await container.UploadAsync(
            new BlobUpload
            {
                Name = "watched/",
                Content = new byte[100_000],
                Metadata = new Dictionary<string, string> { ["k"] = "v" },
                Condition = BlobCondition.Absent,
            },
            Cancelled
        );
        await container.SetMetadataAsync("watched/", new Dictionary<string, string> { ["ownerid"] = "" }, BlobCondition.None, Cancelled);
        await container.GetPropertiesAsync("watched/", Cancelled);

        Assert.Equal(
            [(OperationMoment.OnTheWire, "v"), (OperationMoment.Answered, "v"), (OperationMoment.OnTheWire, ""), (OperationMoment.Answered, "")],
            steps.Select(static step => (step.Moment, Assert.Single(step.Metadata!).Value))
        );
        Assert.All(steps, static step => Assert.Equal(("container", "watched/"), (step.Entity, step.Blob)));
        Assert.Equal(3, clocks.Count);
        Assert.Equal(100_000, (await container.DownloadAsync("watched/", Cancelled)).Length);
    }
}

public sealed class OfficialCheckpointStoreTests(BlobFixture fixture) : BlobCheckpointStoreContract(fixture, OfficialClients.Family);
