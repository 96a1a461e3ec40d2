using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class CheckpointBlobNameTests
{
    [Fact]
    public void Lower_cases_all_but_the_partition()
    {
        Assert.Equal("ns.example/hub1/$default/ownership/P1", CheckpointBlobName.Ownership("NS.example", "Hub1", "$Default", "P1"));
        Assert.Equal("ns.example/hub1/$default/checkpoint/0", CheckpointBlobName.Checkpoint("NS.example", "Hub1", "$Default", "0"));
        Assert.Equal("127.0.0.1/hub1/$default/ownership/", CheckpointBlobName.OwnershipPrefix("127.0.0.1", "hub1", "$Default"));
    }

    [Theory]
    [InlineData("a/b/c/ownership")]
    [InlineData("a/b/c/ownership/")]
    [InlineData("a/b/c/ownership/1/2")]
    [InlineData("a//c/checkpoint/1")]
    [InlineData("/b/c/checkpoint/1")]
    [InlineData("a/b/c/Checkpoint/1")]
    [InlineData("hub/0/00000000000000000001")]
    [InlineData("")]
    public void Takes_no_other_name_for_one_of_the_layout(string name) => Assert.False(CheckpointBlobName.TryParse(name, out _));

    [Fact]
    public void Parses_what_it_builds() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<NonNegativeInt>(),
                ArbMap.Default.ArbFor<bool>(),
                (number, ownership) =>
                {
                    var partition = number.Get.ToString(System.Globalization.CultureInfo.InvariantCulture);
                    var name = ownership
                        ? CheckpointBlobName.Ownership("host", "hub", "group", partition)
                        : CheckpointBlobName.Checkpoint("host", "hub", "group", partition);
                    return CheckpointBlobName.TryParse(name, out var parts)
                        && parts
                            == new CheckpointBlobParts(
                                ownership ? CheckpointBlobKind.Ownership : CheckpointBlobKind.Checkpoint,
                                "host",
                                "hub",
                                "group",
                                partition
                            );
                }
            )
            .Check(PropertyCases.Usual);
}
