using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Queues, topics and subscriptions over HTTP.</summary>
public sealed class EntityRoutesTests : RunningEmulator
{
    [Theory]
    [InlineData("/queues/work", "?lockDuration=1m&maxDeliveryCount=3", "?lockDuration=2m")]
    [InlineData("/topics/news", "?timeToLive=1h", "?timeToLive=2h")]
    public async Task An_entity_is_created_once_and_then_there_or_different(string path, string same, string other)
    {
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("GET", path)).Status);
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", path + same)).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("PUT", path + same)).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await SendAsync("PUT", path + other)).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("GET", path)).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await SendAsync("DELETE", path)).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("DELETE", path)).Status);
    }

    [Fact]
    public async Task A_queue_takes_its_name_from_topics_too()
    {
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/queues/work")).Status);
        var (status, body) = await SendAsync("PUT", "/topics/work");
        Assert.Equal(HttpStatusCode.Conflict, status);
        Assert.Contains("The name 'work' is taken by a topic with other settings, or by another entity.", body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_description_that_is_shown_can_be_put_again()
    {
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/queues/grave")).Status);
        var (status, shown) = await SendAsync(
            "PUT",
            "/queues/work",
            """
            { "lockDuration": "5s", "maxDeliveryCount": 3, "timeToLive": "90s", "deadLetterExpired": true, "duplicateDetection": "10m", "forwardDeadLettersTo": "grave" }
            """
        );
        Assert.Equal(HttpStatusCode.Created, status);
        Assert.Equal((HttpStatusCode.OK, shown), await SendAsync("PUT", "/queues/work", shown));
        Assert.Equal((HttpStatusCode.OK, shown), await SendAsync("GET", "/queues/work"));
        Assert.Equal(
            ["grave", "queue", "work"],
            JsonNode.Parse((await SendAsync("GET", "/queues")).Body)!["queues"]!.AsArray().Select(static queue => (string)queue!["name"]!)
        );
    }

    [Fact]
    public async Task A_topic_comes_with_its_subscriptions_and_gets_more()
    {
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/topics/news", """{ "subscriptions": [{ "name": "all" }] }""")).Status);
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/topics/news/subscriptions/some?maxDeliveryCount=2")).Status);
        Assert.Equal(HttpStatusCode.OK, (await SendAsync("PUT", "/topics/news/subscriptions/some?maxDeliveryCount=2")).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await SendAsync("PUT", "/topics/news/subscriptions/some")).Status);
        var names = JsonNode.Parse((await SendAsync("GET", "/topics/news/subscriptions")).Body)!["subscriptions"]!
            .AsArray()
            .Select(static one => (string)one!["name"]!);
        Assert.Equal(["all", "some"], names.Order());
        Assert.Equal(HttpStatusCode.NoContent, (await SendAsync("DELETE", "/topics/news/subscriptions/some")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("GET", "/topics/news/subscriptions/some")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await SendAsync("PUT", "/topics/nowhere/subscriptions/some")).Status);
    }

    [Fact]
    public async Task A_subscription_begins_with_the_rules_that_it_is_given_and_shows_those_that_it_has()
    {
        const string Asked = """
            { "name": "some", "lockDuration": "30s", "maxDeliveryCount": 10, "deadLetterExpired": false, "rules": [
              { "name": "sized", "sql": "size > @least", "parameters": { "@least": 3, "@no": 0.5 } },
              { "name": "final", "correlation": { "subject": "result", "contentType": "text", "properties": { "final": true, "n": 3, "who": "x" } } },
              { "name": "never", "sql": "1=0" }] }
            """;
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/topics/news")).Status);
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/topics/news/subscriptions/some", Asked)).Status);
        var (_, shown) = await SendAsync("GET", "/topics/news/subscriptions/some");
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(Asked), JsonNode.Parse(shown)), shown);
        Assert.Equal((HttpStatusCode.OK, shown), await SendAsync("PUT", "/topics/news/subscriptions/some", shown));
        var subscription = Host.Queues.FindTopic("news")!.Find("some")!;
        Assert.True(subscription.TryRemove("sized") && subscription.TryRemove("final") && subscription.TryRemove("never"));
        Assert.Equal("[]", JsonNode.Parse((await SendAsync("GET", "/topics/news")).Body)!["subscriptions"]![0]!["rules"]!.ToJsonString());
        Assert.Equal(HttpStatusCode.Created, (await SendAsync("PUT", "/topics/news/subscriptions/other")).Status);
        Assert.DoesNotContain("rules", (await SendAsync("GET", "/topics/news/subscriptions/other")).Body, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{ "name": "a", "sql": "size >" }""", "'rules[0].sql' 'size >': There was an error parsing the SQL expression. [Token line=1, column=7")]
    [InlineData("""{ "name": "a" }""", "'rules[0]': needs either 'sql' or 'correlation'")]
    [InlineData("""{ "name": "a", "sql": "1=1", "correlation": { "to": "b" } }""", "'rules[0]': needs either 'sql' or 'correlation'")]
    [InlineData("""{ "name": "a", "correlation": {} }""", "'rules[0].correlation': names no property")]
    [InlineData("""{ "name": "a", "correlation": { "to": "b", "label": "b" } }""", "'rules[0].correlation.label': unknown")]
    [InlineData("""{ "name": "a", "sql": "1=1" }, { "name": "A", "sql": "1=1" }""", "'rules[1].name' 'A': named twice")]
    [InlineData("""{ "sql": "1=1" }""", "'rules[0].name': missing")]
    [InlineData("""{ "name": "a23456789012345678901234567890123456789012345678901", "sql": "1=1" }""", "longer than 50 characters")]
    public async Task A_rule_that_is_none_is_a_problem(string rules, string problem)
    {
        await SendAsync("PUT", "/topics/news");
        var (status, body) = await SendAsync("PUT", "/topics/news/subscriptions/some", $$"""{ "rules": [{{rules}}] }""");
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Contains(problem, Assert.Single(JsonNode.Parse(body)!["problems"]!.AsArray())!.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/queues/a?forwardTo=nowhere", "query: 'forwardTo' 'nowhere': no queue and no topic of this name")]
    [InlineData("/queues/a?forwardTo=a", "query: 'forwardTo' 'a': forwards to itself")]
    [InlineData("/queues/a?lockDuration=6m", "query: 'lockDuration' '6m': allowed 1s to 5m")]
    [InlineData("/queues/a?lockDuration=10", "query: 'lockDuration' '10': missing unit, write 10s, 500ms or 2m")]
    [InlineData("/topics/a?lockDuration=10s", "query: 'lockDuration': unknown. Known: duplicateDetection, name, subscriptions, timeToLive")]
    public async Task Wrong_settings_are_400_and_named(string path, string expected)
    {
        var (status, body) = await SendAsync("PUT", path);
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Equal([expected], JsonNode.Parse(body)!["problems"]!.AsArray().Select(static problem => (string)problem!));
    }

    private async Task<(HttpStatusCode Status, string Body)> SendAsync(string method, string path, string? body = null)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Host.Settings["EMULATOR_ADMIN_URL"] + path));
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", MessagingConnectionString.Parse(EventHubs).Key);
        request.Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json");
        using var answer = await client.SendAsync(request, Cancellation);
        return (answer.StatusCode, await answer.Content.ReadAsStringAsync(Cancellation));
    }
}
