using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification.Facts;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>The verifier reads names with separate code. Here, and only here, both ends meet.</summary>
public sealed class DerivedNameTests
{
    [Fact]
    public void Every_name_that_a_sink_writes_is_read_back()
    {
        var names = ArbMap
            .Default.ArbFor<NonEmptyString>()
            .Generator.Select(text => text.Get.Replace("\0", "x", StringComparison.Ordinal))
            .Where(text => text.Length <= 10 && !text.Any(char.IsSurrogate));
        var property = Prop.ForAll(
            names.ToArbitrary(),
            Gen.Choose(0, 2000).ToArbitrary(),
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            (hub, partition, sequence) =>
            {
                var expected = new DerivedName(hub, $"{partition}", sequence);
                Assert.Equal(expected, DerivedName.FromMessageId(SinkNames.MessageId(hub, $"{partition}", sequence)));
                Assert.Equal(expected, DerivedName.FromBlob(SinkNames.BlobName(hub, $"{partition}", sequence)));
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("hub")]
    [InlineData("hub-0")]
    [InlineData("hub-0-")]
    [InlineData("hub--7")]
    [InlineData("-0-7")]
    [InlineData("hub-0-007")]
    [InlineData("hub-0-+7")]
    [InlineData("hub-0- 7")]
    [InlineData("hub-0-99999999999999999999")]
    [InlineData("h~75b-0-7")]
    [InlineData("hub~2-0-7")]
    [InlineData("hub~c3-0-7")]
    [InlineData("hub~FF-0-7")]
    [InlineData("h b-0-7")]
    [InlineData(".hub-0-7")]
    public void Any_other_message_name_belongs_to_no_event(string name) => Assert.Null(DerivedName.FromMessageId(name));

    [Theory]
    [InlineData("hub/0/7")]
    [InlineData("hub/00000000000000000007")]
    [InlineData("hub/0/000000000000000000007")]
    [InlineData("hub/0/0000000000000000000x")]
    [InlineData("/0/00000000000000000007")]
    [InlineData("a/hub/0/00000000000000000007")]
    public void Any_other_blob_name_belongs_to_no_event(string name) => Assert.Null(DerivedName.FromBlob(name));
}
