using System.Net;
using System.Xml.Linq;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Entities as the administration clients of Service Bus make, list, change and delete them.</summary>
public sealed class AtomEntityTests : AtomFixture
{
    [Fact]
    public async Task A_queue_is_made_once_shown_changed_and_deleted()
    {
        var (status, made) = await PutAsync(
            "/work",
            Entry("QueueDescription", "<LockDuration>PT20S</LockDuration><UserMetadata>a &amp; b</UserMetadata><EnableExpress>true</EnableExpress>")
        );
        Assert.Equal((HttpStatusCode.Created, "work", $"{Admin}/work"), (status, made!.Element(Atom + "title")!.Value, made.Element(Atom + "id")!.Value));
        Assert.Contains("SubCode=40900.", Detail(await PutAsync("/WORK", Entry("QueueDescription")), HttpStatusCode.Conflict), StringComparison.Ordinal);
        (status, var found) = await GetAsync("/work");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal(
            ("PT20S", "10", "a & b", "true", "Active", null),
            (
                GetElement(found, "LockDuration"),
                GetElement(found, "MaxDeliveryCount"),
                GetElement(found, "UserMetadata"),
                GetElement(found, "EnableExpress"),
                GetElement(found, "Status"),
                GetElement(found, "ForwardTo")
            )
        );
        (status, var changed) = await PutAsync("/work", Entry("QueueDescription", "<MaxDeliveryCount>3</MaxDeliveryCount>"), change: true);
        Assert.Equal(
            (HttpStatusCode.OK, "3", "PT1M", null),
            (status, GetElement(changed, "MaxDeliveryCount"), GetElement(changed, "LockDuration"), GetElement(changed, "UserMetadata"))
        );
        Assert.Equal(GetElement(made, "CreatedAt"), GetElement(changed, "CreatedAt"));
        Assert.Equal(3, Host.Queues.FindQueue("work")!.Settings.MaximumDeliveryCount);
        Assert.Equal((HttpStatusCode.OK, null), await SendAsync("DELETE", "/work?api-version=2021-05"));
        Assert.Contains("SubCode=40400.", Detail(await GetAsync("/work"), HttpStatusCode.NotFound), StringComparison.Ordinal);
        Detail(await PutAsync("/work", Entry("QueueDescription"), change: true), HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Names_of_queues_and_topics_may_have_parts_on_every_way_to_them()
    {
        var (_, made) = await PutAsync("/orders/eu/new", Entry("QueueDescription"));
        Assert.Equal(("orders/eu/new", $"{Admin}/orders/eu/new"), (made!.Element(Atom + "title")!.Value, made.Element(Atom + "id")!.Value));
        Assert.Equal(HttpStatusCode.Created, (await PutAsync("/company.messages~updated", Entry("QueueDescription"))).Status);
        Assert.Equal(HttpStatusCode.OK, (await GetAsync("/Company.Messages%7Eupdated")).Status);
        await PutAsync("/news/eu", Entry("TopicDescription"));
        Assert.Equal(HttpStatusCode.Created, (await PutAsync("/news/eu/Subscriptions/all", Entry("SubscriptionDescription"))).Status);
        Assert.Equal(HttpStatusCode.OK, (await GetAsync("/news/eu/Subscriptions/all/Rules/$Default")).Status);
        Detail(await PutAsync("/news/partitions/eu", Entry("TopicDescription")), HttpStatusCode.BadRequest);
        using var client = new HttpClient();
        client.DefaultRequestHeaders.Authorization = new("Bearer", Key);
        Assert.Contains("\"orders/eu/new\"", await client.GetStringAsync(new Uri(Admin + "/queues/orders%2Feu%2Fnew"), Cancellation), StringComparison.Ordinal);

        await using var peer = await Peer.ConnectAsync(ServiceBus);
        foreach (
            var (target, source) in (IEnumerable<(string, string)>)
                [("orders/eu/new", "orders/eu/new"), ("company.messages~updated", "company.messages~updated"), ("news/eu", "news/eu/Subscriptions/all")]
        )
        {
            Assert.Equal((202, 202), (await peer.PutTokenAsync(target), await peer.PutTokenAsync(source)));
            var sender = await peer.SenderAsync(target);
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message(target), 0, Cancellation));
            var receiver = await peer.ReceiverAsync(source, 1);
            Assert.Equal(target, Encoded.GetText(AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload)));
            Assert.NotNull(await peer.ReceiverAsync($"{source}/$DeadLetterQueue", 1));
        }
    }

    [Fact]
    public async Task The_longest_durations_are_not_limits_for_any_rounding()
    {
        foreach (var longest in (string[])["P10675199DT2H48M5.4775807S", "P10675199DT2H48M5.477581S"])
        {
            await PutAsync(
                "/work",
                Entry("QueueDescription", $"<DefaultMessageTimeToLive>{longest}</DefaultMessageTimeToLive><AutoDeleteOnIdle>{longest}</AutoDeleteOnIdle>")
            );
            Assert.Null(Host.Queues.FindQueue("work")!.Settings.TimeToLive);
            Assert.Equal("P10675199DT2H48M5.4775807S", GetElement((await GetAsync("/work")).Body, "DefaultMessageTimeToLive"));
            await SendAsync("DELETE", "/work?api-version=2017-04");
        }
    }

    [Fact]
    public async Task Both_ways_of_administration_show_the_same_entities()
    {
        Host.Queues.CreateQueue(new QueueSettings("Plain") { TimeToLive = TimeSpan.FromHours(1), ForwardTo = "queue" });
        var (_, found) = await GetAsync("/plain");
        Assert.Equal(("PT1H", $"sb://{new Uri(Admin).Authority}/queue"), (GetElement(found, "DefaultMessageTimeToLive"), GetElement(found, "ForwardTo")));
        await PutAsync("/queues", Entry("QueueDescription"));
        Assert.NotNull(Host.Queues.FindQueue("queues"));
        using var client = new HttpClient();
        client.DefaultRequestHeaders.Authorization = new("Bearer", Key);
        Assert.Contains("\"Plain\"", await client.GetStringAsync(new Uri(Admin + "/queues"), Cancellation), StringComparison.Ordinal);
        Assert.Contains("\"queues\"", await client.GetStringAsync(new Uri(Admin + "/queues/queues"), Cancellation), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("2017-04", null)]
    [InlineData("2021-05", null)]
    [InlineData("2024-05", "3 1")]
    [InlineData("2026-11", "3 1")]
    [InlineData("2026-11-30", "3 1")]
    [InlineData("2027-01-preview", "3 1")]
    public async Task A_topic_has_the_counts_of_its_filters_since_the_version_that_brought_them(string version, string? counts)
    {
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        await PutAsync("/news/Subscriptions/two", Entry("SubscriptionDescription"));
        await PutAsync(
            "/news/Subscriptions/two/Rules/sql",
            Entry("RuleDescription", """<Filter i:type="SqlFilter"><SqlExpression>a = 1</SqlExpression></Filter>""")
        );
        await PutAsync("/news/Subscriptions/two/Rules/like", Entry("RuleDescription", """<Filter i:type="CorrelationFilter"><Label>b</Label></Filter>"""));
        foreach (var path in (string[])["/news", "/$Resources/topics"])
        {
            var (status, body) = await SendAsync("GET", $"{path}?api-version={version}");
            Assert.Equal(HttpStatusCode.OK, status);
            Assert.Equal(counts, GetElement(body, "SqlFilterCount") is { } sql ? $"{sql} {GetElement(body, "CorrelationFilterCount")}" : null);
        }

        // A client that changes a topic sends back what it was given.
        var given = Entry("TopicDescription", "<SqlFilterCount>3</SqlFilterCount><CorrelationFilterCount>1</CorrelationFilterCount>");
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("PUT", $"/news?api-version={version}", given, change: true)).Status);
    }

    [Theory]
    [InlineData("2016-07")]
    [InlineData("latest")]
    [InlineData("2024-5")]
    public async Task A_version_before_the_oldest_or_in_another_form_is_refused_with_what_is_allowed(string version)
    {
        var detail = Detail(await SendAsync("GET", $"/queue?api-version={version}"), HttpStatusCode.BadRequest);
        Assert.Contains($"'api-version' '{version}': allowed 2017-04 and later", detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_list_of_entities_has_pages_and_links_to_the_next_one()
    {
        for (var i = 0; i < 5; i++)
        {
            await PutAsync($"/q{i}", Entry("QueueDescription"));
        }

        var names = new List<string>();
        var next = $"{Admin}/$Resources/queues?api-version=2021-05&$top=2";
        for (var pages = 1; next is not null; pages++)
        {
            Assert.True(pages <= 3);
            var (_, feed) = await SendAsync("GET", next[Admin.Length..]);
            Assert.Equal("feed", feed!.Name.LocalName);
            names.AddRange(feed.Elements(Atom + "entry").Select(static entry => entry.Element(Atom + "title")!.Value));
            next = feed.Elements(Atom + "link").FirstOrDefault(static link => link.Attribute("rel")!.Value == "next")?.Attribute("href")!.Value;
        }

        Assert.Equal(["q0", "q1", "q2", "q3", "q4", "queue"], names);
        Assert.Empty((await GetAsync("/$Resources/queues?$skip=100")).Body!.Elements(Atom + "entry"));
        Detail(await GetAsync("/$Resources/queues?$top=x"), HttpStatusCode.BadRequest);
        Detail(await GetAsync("/$Resources/others"), HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task A_topic_with_subscriptions_and_rules_is_made_and_described_under_its_own_paths()
    {
        Assert.Equal(
            HttpStatusCode.Created,
            (await PutAsync("/news", Entry("TopicDescription", "<DefaultMessageTimeToLive>PT2H</DefaultMessageTimeToLive>"))).Status
        );
        Detail(await PutAsync("/news", Entry("QueueDescription")), HttpStatusCode.Conflict);
        Detail(await PutAsync("/nowhere/Subscriptions/one", Entry("SubscriptionDescription")), HttpStatusCode.NotFound);
        const string FirstRule =
            """<DefaultRuleDescription><Filter i:type="CorrelationFilter"><Label>red</Label></Filter><Name>reds</Name></DefaultRuleDescription>""";
        var (status, made) = await PutAsync("/news/subscriptions/one", Entry("SubscriptionDescription", FirstRule));
        Assert.Equal((HttpStatusCode.Created, $"{Admin}/news/Subscriptions/one"), (status, made!.Element(Atom + "id")!.Value));
        var rule = Assert.Single((await GetAsync("/news/Subscriptions/one/Rules/")).Body!.Elements(Atom + "entry"));
        Assert.Equal(
            ("reds", "red", $"{Admin}/news/Subscriptions/one/Rules/reds"),
            (GetElement(rule, "Name"), GetElement(rule, "Label"), rule.Element(Atom + "id")!.Value)
        );
        Assert.Equal(HttpStatusCode.Created, (await PutAsync("/news/Subscriptions/one/Rules/all", Entry("RuleDescription"))).Status);
        Detail(await PutAsync("/news/Subscriptions/one/Rules/all", Entry("RuleDescription")), HttpStatusCode.Conflict);
        (status, var changed) = await PutAsync(
            "/news/Subscriptions/one/Rules/all",
            Entry("RuleDescription", """<Filter i:type="FalseFilter"/>"""),
            change: true
        );
        Assert.Equal((HttpStatusCode.OK, "1=0"), (status, GetElement(changed, "SqlExpression")));
        Detail(
            await PutAsync("/news/Subscriptions/one/Rules/all", Entry("RuleDescription", """<Filter i:type="CorrelationFilter"/>"""), change: true),
            HttpStatusCode.BadRequest
        );
        Detail(
            await PutAsync(
                "/news/Subscriptions/one/Rules/colour",
                Entry("RuleDescription", """<Filter i:type="CorrelationFilter"><Label>a</Label><Colour>red</Colour></Filter>""")
            ),
            HttpStatusCode.BadRequest
        );
        Assert.Equal("1=0", GetElement((await GetAsync("/news/Subscriptions/one/Rules/all")).Body, "SqlExpression"));
        Assert.Equal("1", GetElement((await GetAsync("/news")).Body, "SubscriptionCount"));
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("DELETE", "/news/Subscriptions/one/Rules/all?api-version=2021-05")).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("DELETE", "/news/Subscriptions/one?api-version=2021-05")).Status);
        Assert.Empty((await GetAsync("/news/Subscriptions")).Body!.Elements(Atom + "entry"));
    }

    [Fact]
    public async Task A_subscription_whose_first_rule_is_refused_is_not_made()
    {
        await PutAsync("/news", Entry("TopicDescription"));
        Detail(
            await PutAsync(
                "/news/Subscriptions/one",
                Entry("SubscriptionDescription", """<DefaultRuleDescription><Filter i:type="CorrelationFilter"/></DefaultRuleDescription>""")
            ),
            HttpStatusCode.BadRequest
        );
        Assert.Null(Host.Queues.FindTopic("news")!.Find("one"));
    }

    [Fact]
    public async Task Values_of_a_rule_keep_their_types()
    {
        const string Values = """
            <Filter i:type="CorrelationFilter"><Properties xmlns:x="http://www.w3.org/2001/XMLSchema">
            <KeyValueOfstringanyType><Key>text</Key><Value i:type="x:string">t</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>int</Key><Value i:type="x:int">-3</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>long</Key><Value i:type="x:long">4000000000</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>flag</Key><Value i:type="x:boolean">true</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>half</Key><Value i:type="x:double">0.5</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>span</Key><Value i:type="x:duration">P1DT90S</Value></KeyValueOfstringanyType>
            <KeyValueOfstringanyType><Key>time</Key><Value i:type="x:dateTime">2020-01-02T03:04:05Z</Value></KeyValueOfstringanyType>
            </Properties></Filter>
            """;
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        var (status, made) = await PutAsync("/news/Subscriptions/one/Rules/typed", Entry("RuleDescription", Values));
        Assert.Equal(HttpStatusCode.Created, status);
        var pairs = made!
            .Descendants(XName.Get("KeyValueOfstringanyType", Connect))
            .Select(static pair => (pair.Elements().First().Value, pair.Elements().Last().Attributes().Last().Value, pair.Elements().Last().Value));
        Assert.Equal(
            [
                ("text", "d6p1:string", "t"),
                ("int", "d6p1:int", "-3"),
                ("long", "d6p1:long", "4000000000"),
                ("flag", "d6p1:boolean", "true"),
                ("half", "d6p1:double", "0.5"),
                ("span", "d6p1:duration", "P1DT1M30S"),
                ("time", "d6p1:dateTime", "2020-01-02T03:04:05.0000000Z"),
            ],
            pairs
        );
        Assert.Contains(
            "'int' does not fit",
            Detail(
                await PutAsync("/news/Subscriptions/one/Rules/bad", Entry("RuleDescription", Values.Replace("-3", "three", StringComparison.Ordinal))),
                HttpStatusCode.BadRequest
            ),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "Supported are string, int",
            Detail(
                await PutAsync("/news/Subscriptions/one/Rules/bad", Entry("RuleDescription", Values.Replace("x:int", "x:colour", StringComparison.Ordinal))),
                HttpStatusCode.BadRequest
            ),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task An_SQL_filter_is_shown_with_its_parameters_and_refused_when_it_lacks_one()
    {
        const string Sized = """
            <Filter i:type="SqlFilter"><SqlExpression>size &gt; @least</SqlExpression><Parameters xmlns:x="http://www.w3.org/2001/XMLSchema">
            <KeyValueOfstringanyType><Key>@least</Key><Value i:type="x:int">3</Value></KeyValueOfstringanyType>
            </Parameters></Filter>
            """;
        await PutAsync("/news", Entry("TopicDescription"));
        await PutAsync("/news/Subscriptions/one", Entry("SubscriptionDescription"));
        Assert.Equal(HttpStatusCode.Created, (await PutAsync("/news/Subscriptions/one/Rules/sized", Entry("RuleDescription", Sized))).Status);
        var shown = (await GetAsync("/news/Subscriptions/one/Rules/sized")).Body;
        Assert.Equal(("size > @least", "@least", "3"), (GetElement(shown, "SqlExpression"), GetElement(shown, "Key"), GetElement(shown, "Value")));
        Assert.Contains(
            "column=8",
            Detail(
                await PutAsync(
                    "/news/Subscriptions/one/Rules/bad",
                    Entry("RuleDescription", Sized.Replace("<Key>@least", "<Key>@most", StringComparison.Ordinal))
                ),
                HttpStatusCode.BadRequest
            ),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task The_namespace_describes_itself()
    {
        var (status, entry) = await GetAsync("/$namespaceInfo");
        Assert.Equal((HttpStatusCode.OK, "emulator", "Standard"), (status, GetElement(entry, "Name"), GetElement(entry, "MessagingSKU")));
    }

    [Theory]
    [InlineData("https://127.0.0.1/", HttpStatusCode.OK)]
    [InlineData("https://127.0.0.1:PORT/queue?api-version=2021-05", HttpStatusCode.OK)]
    [InlineData("https://127.0.0.1/other", HttpStatusCode.Unauthorized)]
    [InlineData("sb://127.0.0.1:PORT/queue", HttpStatusCode.Unauthorized)]
    public async Task Tokens_are_taken_as_the_clients_make_them(string audience, HttpStatusCode expected)
    {
        var token = SasToken.Create(
            audience.Replace("PORT", $"{new Uri(Admin).Port}", StringComparison.Ordinal),
            "RootManageSharedAccessKey",
            Key,
            TimeProvider.System.GetUtcNow().AddMinutes(5)
        );
        Assert.Equal(expected, (await SendAsync("GET", "/queue?api-version=2021-05", authorization: token)).Status);
    }
}
