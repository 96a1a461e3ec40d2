using System.Net;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Consumer groups as the management protocol of Event Hubs creates, lists, changes and deletes them.</summary>
public sealed class AtomConsumerGroupTests : AtomFixture
{
    private const string Path = "/hub/consumergroups/mine?timeout=60&api-version=2014-01";

    [Fact]
    public async Task A_group_is_created_once_shown_changed_and_deleted()
    {
        var (status, created) = await SendAsync("PUT", Path, Entry("ConsumerGroupDescription", "<UserMetadata>of a user</UserMetadata>"));
        Assert.Equal(
            (HttpStatusCode.Created, "mine", $"{Admin}/hub/ConsumerGroups/mine", "of a user"),
            (status, created!.Element(Atom + "title")!.Value, created.Element(Atom + "id")!.Value, GetElement(created, "UserMetadata"))
        );
        Assert.Contains(
            "SubCode=40900.",
            Detail(await SendAsync("PUT", "/HUB/consumerGroups/MINE?api-version=2014-01", Entry("ConsumerGroupDescription")), HttpStatusCode.Conflict),
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["$Default", "mine"],
            (await SendAsync("GET", "/hub/consumergroups?api-version=2014-01"))
                .Body!.Elements(Atom + "entry")
                .Select(entry => entry.Element(Atom + "title")!.Value)
        );
        (status, var changed) = await SendAsync("PUT", Path, Entry("ConsumerGroupDescription", "<UserMetadata>new</UserMetadata>"), change: true);
        Assert.Equal((HttpStatusCode.OK, "new"), (status, GetElement(changed, "UserMetadata")));
        Assert.Equal(GetElement(created, "CreatedAt"), GetElement((await SendAsync("GET", Path)).Body, "CreatedAt"));
        Assert.Equal((HttpStatusCode.OK, null), await SendAsync("DELETE", Path));
        foreach (var method in (string[])["GET", "DELETE"])
        {
            Assert.Contains("SubCode=40400.", Detail(await SendAsync(method, Path), HttpStatusCode.NotFound), StringComparison.Ordinal);
        }

        Assert.False(Host.Hub.HasGroup("mine"));
    }

    [Theory]
    [InlineData("PUT", "/other/consumergroups/mine", HttpStatusCode.NotFound, "could not be found")]
    [InlineData("PUT", "/queue/consumergroups/mine", HttpStatusCode.NotFound, "could not be found")]
    [InlineData("PUT", "/hub/consumergroups/mine/rules/a", HttpStatusCode.NotFound, "could not be found")]
    [InlineData("PUT", "/hub/consumergroups/a%20b", HttpStatusCode.BadRequest, "'a b': not a name of a consumer group")]
    [InlineData("DELETE", "/hub/consumergroups/$default", HttpStatusCode.BadRequest, "'$Default' cannot be deleted")]
    public async Task A_request_that_cannot_be_served_is_refused_with_the_reason(string method, string path, HttpStatusCode status, string reason)
    {
        var body = method == "PUT" ? Entry("ConsumerGroupDescription") : null;
        Assert.Contains(reason, Detail(await SendAsync(method, $"{path}?api-version=2014-01", body), status), StringComparison.Ordinal);
        Assert.Equal(["$Default"], Host.Hub.Settings.ConsumerGroups);
    }

    [Fact]
    public async Task Metadata_beyond_the_limit_and_groups_beyond_the_limit_are_refused()
    {
        var metadata = $"<UserMetadata>{new string('a', 1_025)}</UserMetadata>";
        Assert.Contains(
            "'UserMetadata': longer than 1024 characters",
            Detail(await SendAsync("PUT", Path, Entry("ConsumerGroupDescription", metadata)), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
        for (var group = 1; group < HubSettings.MostGroups; group++)
        {
            Assert.Equal(CreateVerdict.Created, Host.Hub.CreateGroup($"group-{group}"));
        }

        Assert.Contains(
            "SubCode=40300.",
            Detail(await SendAsync("PUT", Path, Entry("ConsumerGroupDescription")), HttpStatusCode.Forbidden),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task The_versions_of_Service_Bus_begin_later()
    {
        Detail(await SendAsync("GET", "/queue?api-version=2014-01"), HttpStatusCode.BadRequest);
        Assert.Contains(
            "allowed 2014-01 and later",
            Detail(await SendAsync("GET", "/hub/consumergroups?api-version=2013-01"), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_reader_of_a_deleted_group_is_detached_and_a_group_of_that_name_begins_without_readers()
    {
        await SendAsync("PUT", Path, Entry("ConsumerGroupDescription"));
        await using var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(202, await peer.PutTokenAsync("hub"));
        var reader = await peer.ReceiverAsync("hub/ConsumerGroups/mine/Partitions/0", 1);
        var other = await peer.ReceiverAsync("hub/ConsumerGroups/$Default/Partitions/0", 1);

        await SendAsync("DELETE", Path);

        var error = await reader.Completion.WaitAsync(Cancellation);
        Assert.Equal(ErrorCondition.NotFound, error!.Condition.Value);
        Assert.True(other.IsOpen);
        await SendAsync("PUT", Path, Entry("ConsumerGroupDescription"));
        Assert.True((await peer.ReceiverAsync("hub/ConsumerGroups/mine/Partitions/0", 1)).IsOpen);
    }
}
