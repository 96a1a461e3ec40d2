using System.Net;
using System.Xml.Linq;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Parts of a description that the service keeps, fills in or acts on although nothing else here uses them.</summary>
public sealed class AtomKeptTests : AtomFixture
{
    private const string Rules = """
        <AuthorizationRules><AuthorizationRule i:type="SharedAccessAuthorizationRule"><ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue>
        <Rights><AccessRights>Send</AccessRights><AccessRights>Listen</AccessRights></Rights><KeyName>one</KeyName><PrimaryKey>cHJpbWFyeQ==</PrimaryKey><SecondaryKey>c2Vjb25k</SecondaryKey>
        </AuthorizationRule></AuthorizationRules>
        """;

    private readonly VirtualClock _clock = new(TimeProvider.System.GetUtcNow());

    [Fact]
    public async Task A_lock_lasts_a_minute_by_default()
    {
        await PutAsync("/work", Entry("QueueDescription"));
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        foreach (var path in (string[])["/work", "/news/Subscriptions/one"])
        {
            Assert.Equal("PT1M", GetElement((await GetAsync(path)).Body, "LockDuration"));
        }
    }

    [Theory]
    [InlineData("/work", "QueueDescription")]
    [InlineData("/news", "TopicDescription")]
    public async Task The_duplicate_detection_window_is_kept_while_detection_is_off(string path, string description)
    {
        await PutAsync(path, Entry(description, "<DuplicateDetectionHistoryTimeWindow>PT3M</DuplicateDetectionHistoryTimeWindow>"));
        var (_, found) = await GetAsync(path);
        Assert.Equal(("PT3M", "false"), (GetElement(found, "DuplicateDetectionHistoryTimeWindow"), GetElement(found, "RequiresDuplicateDetection")));
    }

    [Theory]
    [InlineData("/work", "QueueDescription")]
    [InlineData("/news", "TopicDescription")]
    public async Task Authorization_rules_are_shown_as_they_were_given(string path, string description)
    {
        Assert.Equal(HttpStatusCode.Created, (await PutAsync(path, Entry(description, Rules))).Status);
        var rule = Assert.Single((await GetAsync(path)).Body!.Descendants(XName.Get("AuthorizationRule", Connect)));
        Assert.Equal("SharedAccessAuthorizationRule", rule.Attributes().Single(static attribute => attribute.Name.LocalName == "type").Value);
        Assert.Equal(
            ("SharedAccessKey", "one", "cHJpbWFyeQ==", "c2Vjb25k"),
            (GetElement(rule, "ClaimType"), GetElement(rule, "KeyName"), GetElement(rule, "PrimaryKey"), GetElement(rule, "SecondaryKey"))
        );
        Assert.Equal(["Send", "Listen"], rule.Descendants(XName.Get("AccessRights", Connect)).Select(static right => right.Value));
        var tooMany = Rules.Replace(
            "</AuthorizationRules>",
            string.Concat(Enumerable.Repeat("<AuthorizationRule/>", 12)) + "</AuthorizationRules>",
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "'AuthorizationRules': more than 12 rules",
            Detail(await PutAsync(path, Entry(description, tooMany), change: true), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_request_without_a_version_is_spoken_to_as_well()
    {
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/work", Entry("QueueDescription"))).Status);
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/news", Entry("TopicDescription"))).Status);
        Assert.Equal("PT1M", GetElement((await SendAsync("GET", "/work")).Body, "LockDuration"));
        Assert.Equal(2, (await SendAsync("GET", "/$Resources/queues")).Body!.Elements(Atom + "entry").Count());
        Assert.Empty((await SendAsync("GET", "/news/Subscriptions")).Body!.Elements(Atom + "entry"));
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("GET", "/$namespaceinfo")).Status);
        Assert.Contains("SubCode=40400.", Detail(await SendAsync("GET", "/other"), HttpStatusCode.NotFound), StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("DELETE", "/work")).Status);
        Assert.Null(Host.Queues.FindPresentQueue("work"));
    }

    [Fact]
    public async Task An_idle_queue_is_deleted_after_its_AutoDeleteOnIdle()
    {
        const string Idle = "<AutoDeleteOnIdle>PT10M</AutoDeleteOnIdle>";
        await PutAsync("/work", Entry("QueueDescription", Idle));
        await PutAsync("/used", Entry("QueueDescription", Idle));
        await PutAsync("/stays", Entry("QueueDescription"));
        _clock.Advance(TimeSpan.FromMinutes(9));
        Host.Queues.FindPresentQueue("used")!.TryLock();
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal((false, true, true), (IsThere("work"), IsThere("used"), IsThere("stays")));
        _clock.Advance(TimeSpan.FromMinutes(9));
        Assert.Equal((false, false, true), (IsThere("work"), IsThere("used"), IsThere("stays")));
    }

    [Fact]
    public async Task A_queue_with_a_receiver_or_a_scheduled_message_is_not_idle()
    {
        const string Idle = "<AutoDeleteOnIdle>PT5M</AutoDeleteOnIdle>";
        await PutAsync("/work", Entry("QueueDescription", Idle));
        await PutAsync("/later", Entry("QueueDescription", Idle));
        Host.Queues.FindPresentQueue("later")!.Send([Encoded.Content("m", scheduled: _clock.GetUtcNow().AddMinutes(20))], null, 0);
        var receiver = new WakeSignal();
        var receivers = Host.Queues.FindPresentQueue("work")!.Receivers;
        receivers.Add(receiver);
        _clock.Advance(TimeSpan.FromMinutes(11));
        Assert.Equal((true, true), (IsThere("work"), IsThere("later")));
        receivers.Remove(receiver);
        _clock.Advance(TimeSpan.FromMinutes(9));
        Assert.Equal((false, true), (IsThere("work"), IsThere("later")));
        _clock.Advance(TimeSpan.FromMinutes(6));
        Assert.False(IsThere("later"));
    }

    [Fact]
    public async Task An_idle_subscription_goes_alone_and_a_topic_lives_by_its_subscriptions()
    {
        await PutAsync("/news", Entry("TopicDescription", "<AutoDeleteOnIdle>PT15M</AutoDeleteOnIdle>"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription", "<AutoDeleteOnIdle>PT5M</AutoDeleteOnIdle>"));
        await PutAsync("/news/Subscriptions/two", Entry("SubscriptionDescription"));
        _clock.Advance(TimeSpan.FromMinutes(6));
        Assert.Equal(["two"], Host.Queues.FindTopic("news")!.Subscriptions.Select(static subscription => subscription.Settings.Name));
        Host.Queues.FindTopic("news")!.Find("two")!.Queue.TryLock();
        _clock.Advance(TimeSpan.FromMinutes(14));
        Assert.NotNull(Host.Queues.FindTopic("news"));
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Null(Host.Queues.FindTopic("news"));
    }

    [Fact]
    public async Task An_AutoDeleteOnIdle_below_the_minimum_of_the_service_is_refused() =>
        Assert.EndsWith(
            "'AutoDeleteOnIdle' 'PT4M': not a duration of at least 5 minutes",
            Detail(await PutAsync("/work", Entry("QueueDescription", "<AutoDeleteOnIdle>PT4M</AutoDeleteOnIdle>")), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );

    private bool IsThere(string name) => Host.Queues.FindPresentQueue(name) is not null;

    private protected override EmulatorOptions Options() => new() { TimeProvider = _clock };
}
