using System.Net;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>What the management protocol of Service Bus refuses, and how: in XML, which is what its clients read.</summary>
public sealed class AtomRefusalTests : AtomFixture
{
    [Theory]
    [InlineData("<RequiresSession>true</RequiresSession>", "'RequiresSession' 'true': sessions are not supported here")]
    [InlineData("<EnablePartitioning>True</EnablePartitioning>", "'EnablePartitioning' 'True': entities have no partitions here")]
    [InlineData("<Status>ReceiveDisabled</Status>", "'Status' 'ReceiveDisabled': entities cannot be disabled here")]
    [InlineData("<AuthorizationRules><Rule><PrimaryKey>secret</PrimaryKey></Rule></AuthorizationRules>", "'AuthorizationRules': not an AuthorizationRule")]
    [InlineData("<LockDuration>PT6M</LockDuration>", "description: 'lockDuration' '6m': allowed 1s to 5m")]
    [InlineData("<LockDuration>long</LockDuration>", "'LockDuration' 'long': not a duration, write PT30S")]
    [InlineData("<MaxDeliveryCount>0</MaxDeliveryCount>", "description: 'maxDeliveryCount' '0': allowed 1 to 2147483647")]
    [InlineData(
        "<DeadLetteringOnMessageExpiration>maybe</DeadLetteringOnMessageExpiration>",
        "description: 'deadLetterExpired' 'maybe': allowed true and false"
    )]
    [InlineData(
        "<RequiresDuplicateDetection>true</RequiresDuplicateDetection><DuplicateDetectionHistoryTimeWindow>P8D</DuplicateDetectionHistoryTimeWindow>",
        "description: 'duplicateDetection' '192h': allowed 1s to 168h"
    )]
    [InlineData("<ForwardTo>sb://somewhere/nowhere</ForwardTo>", "description: 'forwardTo' 'nowhere': no queue and no topic of this name")]
    [InlineData("<MaxSizeInMegabytes>-1</MaxSizeInMegabytes>", "'MaxSizeInMegabytes' '-1': not a number of megabytes")]
    [InlineData("<Unheard>1</Unheard><Status>Disabled</Status>", "'Unheard' '1': not supported here; 'Status' 'Disabled': entities cannot be disabled here")]
    [InlineData("<LockDuration>PT1S</LockDuration><LockDuration>PT2S</LockDuration>", "'LockDuration': given twice")]
    public async Task A_property_that_cannot_be_is_named(string elements, string expected)
    {
        Assert.Equal($"SubCode=40000. {expected}", Detail(await PutAsync("/work", Entry("QueueDescription", elements)), HttpStatusCode.BadRequest));
        Assert.Null(Host.Queues.FindQueue("work"));
    }

    [Fact]
    public async Task Duplicate_detection_is_for_life()
    {
        await PutAsync("/work", Entry("QueueDescription"));
        await PutAsync("/news", Entry("TopicDescription", "<RequiresDuplicateDetection>true</RequiresDuplicateDetection>"));
        Assert.Equal(TimeSpan.FromMinutes(10), Host.Queues.FindTopic("news")!.Settings.DuplicateDetection);
        foreach (
            var (path, body) in new[]
            {
                ("/work", Entry("QueueDescription", "<RequiresDuplicateDetection>true</RequiresDuplicateDetection>")),
                ("/news", Entry("TopicDescription")),
            }
        )
        {
            Assert.Contains(
                "'RequiresDuplicateDetection': cannot be changed",
                Detail(await PutAsync(path, body, change: true), HttpStatusCode.BadRequest),
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public async Task Xml_that_would_fetch_grow_or_nest_is_refused_before_anything_is_built_of_it()
    {
        string[] hostile =
        [
            "<!DOCTYPE entry [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>" + Entry("QueueDescription", "<UserMetadata>&b;</UserMetadata>"),
            "<!DOCTYPE entry SYSTEM \"file:///etc/passwd\">" + Entry("QueueDescription"),
            Entry("QueueDescription", "&undeclared;"),
            Entry("QueueDescription", string.Concat(Enumerable.Repeat("<a>", 50_000)) + string.Concat(Enumerable.Repeat("</a>", 50_000))),
            Entry("QueueDescription", string.Concat(Enumerable.Repeat("<a/>", 50_000))),
            Entry("QueueDescription", "<LockDuration>PT1S"),
            "not xml at all",
            "",
        ];
        foreach (var body in hostile)
        {
            Detail(await PutAsync("/work", body), HttpStatusCode.BadRequest);
        }

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, (await PutAsync("/work", Entry("QueueDescription", new string(' ', 1 << 20)))).Status);
        Assert.Null(Host.Queues.FindQueue("work"));
    }

    [Theory]
    [InlineData("""<entry xmlns="http://www.w3.org/2005/Atom"/>""")]
    [InlineData("""<entry xmlns="http://www.w3.org/2005/Atom"><content><QueueDescription/></content></entry>""")]
    [InlineData("""<feed xmlns="http://www.w3.org/2005/Atom"/>""")]
    public async Task A_body_without_a_description_is_refused(string body) => Detail(await PutAsync("/work", body), HttpStatusCode.BadRequest);

    [Fact]
    public async Task A_description_of_another_kind_of_entity_is_refused()
    {
        await PutAsync("/news", Entry("TopicDescription"));
        Assert.Contains(
            "a 'SubscriptionDescription'",
            Detail(await PutAsync("/news/Subscriptions/one", Entry("QueueDescription")), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "a 'QueueDescription'",
            Detail(await PutAsync("/other", Entry("RuleDescription")), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
        foreach (var path in (string[])["/news/Others/one", "/news/Subscriptions/none/Rules", "/a/Subscriptions/b/Rules/c/more", "/", "/$Resources"])
        {
            Detail(await GetAsync(path), HttpStatusCode.NotFound);
        }

        Assert.Contains("name", Detail(await PutAsync("/a%2F%2Fb", Entry("QueueDescription")), HttpStatusCode.BadRequest), StringComparison.Ordinal);
        Detail(await PutAsync("/news/Subscriptions/a%0Ab", Entry("SubscriptionDescription")), HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Only_known_versions_are_spoken()
    {
        Assert.Contains(
            "api-version",
            Detail(await SendAsync("PUT", "/work?api-version=1.0", Entry("QueueDescription")), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
        Detail(await SendAsync("GET", "/queue?api-version=1999-01"), HttpStatusCode.BadRequest);
        Detail(await SendAsync("POST", "/queue?api-version=2021-05"), HttpStatusCode.MethodNotAllowed);
        Detail(await SendAsync("DELETE", "/$namespaceinfo?api-version=2021-05"), HttpStatusCode.MethodNotAllowed);
        Detail(await SendAsync("DELETE", "/$Resources/queues?api-version=2021-05"), HttpStatusCode.MethodNotAllowed);
    }

    [Fact]
    public async Task A_request_with_no_key_a_wrong_key_or_an_expired_key_is_refused_in_XML()
    {
        var now = TimeProvider.System.GetUtcNow();
        string[] wrong =
        [
            "",
            SasToken.Create(Admin, "RootManageSharedAccessKey", "c2VjcmV0", now.AddMinutes(5)),
            SasToken.Create(Admin, "RootManageSharedAccessKey", Key, now.AddMinutes(-1)),
        ];
        foreach (var authorization in wrong)
        {
            Detail(await SendAsync("GET", "/queue?api-version=2021-05", authorization: authorization), HttpStatusCode.Unauthorized);

            // A queue may have the name of the one path that needs no key.
            Detail(
                await SendAsync("PUT", "/healthz?api-version=2021-05", Entry("QueueDescription"), authorization: authorization),
                HttpStatusCode.Unauthorized
            );
        }
    }

    [Fact]
    public async Task There_are_as_many_entities_as_there_may_be()
    {
        for (var i = Host.Queues.AllQueues.Count; i < EntitySetReader.MostEntities; i++)
        {
            Host.Queues.CreateQueue(new QueueSettings($"q{i}"));
        }

        Detail(await PutAsync("/work", Entry("QueueDescription")), HttpStatusCode.Forbidden);
        Assert.Equal(1_000, (await GetAsync("/$Resources/queues?$top=100000")).Body!.Elements(Atom + "entry").Count());
    }

    [Fact]
    public async Task Text_that_xml_cannot_hold_does_not_end_a_list()
    {
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        var request = new Amqp.Codec.AmqpMap { { "message-id", "a\u0001b\ud83d\ude00" } };
        Host.Queues.FindTopic("news")!.Find("one")!.TryAdd("odd", Emulator.Rules.CorrelationFilter.Of(request)!);
        Assert.Equal("a?b\ud83d\ude00", GetElement((await GetAsync("/news/Subscriptions/one/Rules/odd")).Body, "MessageId"));
    }

    [Fact]
    public async Task Text_that_is_cut_or_refused_in_the_middle_of_a_letter_is_refused_in_xml()
    {
        var cut = new string('a', 99) + "\U0001F600";
        Assert.Contains(
            "not a duration",
            Detail(await PutAsync("/work", Entry("QueueDescription", $"<LockDuration>{cut}</LockDuration>")), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "Token in error=\U0001F600,",
            Detail(await PutRuleAsync("<SqlExpression>\U0001F600 = 1</SqlExpression>"), HttpStatusCode.BadRequest),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("int", "2147483648")]
    [InlineData("boolean", "maybe")]
    [InlineData("duration", "a while")]
    [InlineData("duration", "P99999999999D")]
    [InlineData("dateTime", "yesterday")]
    [InlineData("dateTime", "0001-01-01T00:00:00+14:00")]
    public async Task A_parameter_that_does_not_fit_its_type_is_named(string type, string value)
    {
        var parameter =
            $"<KeyValueOfstringanyType><Key>@p</Key><Value xmlns:d=\"http://www.w3.org/2001/XMLSchema\" i:type=\"d:{type}\">{value}</Value></KeyValueOfstringanyType>";
        var answer = await PutRuleAsync($"<SqlExpression>a = @p</SqlExpression><Parameters>{parameter}</Parameters>");
        Assert.EndsWith($"The value of '@p' does not fit its type {type}.", Detail(answer, HttpStatusCode.BadRequest), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_page_of_nothing_leads_to_no_other()
    {
        var page = await GetAsync("/$Resources/queues?$top=0");
        Assert.Equal(["self"], page.Body!.Elements(Atom + "link").Select(static link => link.Attribute("rel")!.Value));
    }

    private async Task<(HttpStatusCode Status, System.Xml.Linq.XElement? Body)> PutRuleAsync(string filter)
    {
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        return await PutAsync("/news/Subscriptions/one/Rules/odd", Entry("RuleDescription", $"<Filter i:type=\"SqlFilter\">{filter}</Filter>"));
    }
}
