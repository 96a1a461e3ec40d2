using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>Profiles and faults changed while the emulator runs, according to docs/laboratory.md.</summary>
public sealed class FaultInjectionRoutesTests : RunningEmulator
{
    [Fact]
    public async Task Another_profile_takes_the_place_of_the_one_in_force()
    {
        Assert.Equal("none", (string)(await JsonAsync(HttpMethod.Get, "/profile"))["profile"]!["name"]!);
        Assert.Equal("long-tail", (string)(await JsonAsync(HttpMethod.Put, "/profile?name=long-tail"))["profile"]!["name"]!);
        Assert.Equal(
            "mine",
            (string)(await JsonAsync(HttpMethod.Put, "/profile", """{ "name": "mine", "messageSend": { "meanMs": 1 } }"""))["profile"]!["name"]!
        );
        Assert.IsType<Accepted>(await SendAsync());
        var row = Assert.Single((await JsonAsync(HttpMethod.Get, "/profile"))["observed"]!.AsArray())!;
        Assert.Equal(("messageSend", 1, 1.0), ((string)row["operation"]!, (int)row["count"]!, (double)row["askedMeanMs"]!));
        Assert.Equal("mine", (string)(await JsonAsync(HttpMethod.Get, "/stats"))["profile"]!);
    }

    [Fact]
    public async Task All_problems_of_a_profile_are_listed_and_the_old_one_stays()
    {
        using var answer = await RequestAsync(HttpMethod.Put, "/profile", """{ "messageSend": { "meen": 1, "sdMs": -2 } }""");
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        var problems = JsonNode.Parse(await answer.Content.ReadAsStringAsync(Cancellation))!["problems"]!
            .AsArray()
            .Select(static problem => (string)problem!)
            .ToList();
        Assert.Contains(problems, static problem => problem.Contains("'messageSend.meen': unknown", StringComparison.Ordinal));
        Assert.Contains(problems, static problem => problem.Contains("'messageSend.sdMs' -2: allowed", StringComparison.Ordinal));
        Assert.Equal("none", (string)(await JsonAsync(HttpMethod.Get, "/profile"))["profile"]!["name"]!);
    }

    [Fact]
    public async Task A_fault_that_is_injected_strikes_is_counted_and_can_be_taken_away()
    {
        using (var armed = await RequestAsync(HttpMethod.Post, "/faults?name=F10-all&every=2", null))
        {
            Assert.Equal(HttpStatusCode.Created, armed.StatusCode);
        }

        Assert.IsType<Accepted>(await SendAsync());
        Assert.IsType<Rejected>(await SendAsync());
        foreach (var path in new[] { "/faults", "/stats" })
        {
            var fault = Assert.Single((await JsonAsync(HttpMethod.Get, path))["faults"]!.AsArray())!;
            Assert.Equal(("F10-all", 2, 1), ((string)fault["name"]!, (int)fault["matched"]!, (int)fault["struck"]!));
        }

        using (var metrics = await RequestAsync(HttpMethod.Get, "/metrics", null))
        {
            Assert.Contains("\nemulator_faults_total{fault=\"F10-all\"} 1\n", await metrics.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        }

        using (var gone = await RequestAsync(HttpMethod.Delete, "/faults/F10-all", null))
        {
            Assert.Equal(HttpStatusCode.NoContent, gone.StatusCode);
        }

        using (var again = await RequestAsync(HttpMethod.Delete, "/faults/F10-all", null))
        {
            Assert.Equal(HttpStatusCode.NotFound, again.StatusCode);
        }

        Assert.IsType<Accepted>(await SendAsync());
        Assert.IsType<Accepted>(await SendAsync());
    }

    [Fact]
    public async Task An_unknown_fault_and_a_stranger_are_refused()
    {
        using var unknown = await RequestAsync(HttpMethod.Post, "/faults?name=F1O", null);
        Assert.Equal(HttpStatusCode.BadRequest, unknown.StatusCode);
        Assert.Contains("did you mean 'F1", await unknown.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        using var client = new HttpClient();
        using var stranger = await client.GetAsync(new Uri(Host.Settings["EMULATOR_ADMIN_URL"] + "/faults"), Cancellation);
        Assert.Equal(HttpStatusCode.Unauthorized, stranger.StatusCode);
    }

    private async Task<DeliveryState?> SendAsync()
    {
        await using var peer = await Peer.ConnectAsync(ServiceBus);
        await peer.PutTokenAsync("queue");
        var sender = await peer.SenderAsync("queue");
        return await sender.SendAsync(new AmqpMessage { Body = MessageBody.OfData(Encoding.UTF8.GetBytes("body")) }.Encode(), 0, Cancellation);
    }

    private async Task<JsonNode> JsonAsync(HttpMethod method, string path, string? body = null)
    {
        using var answer = await RequestAsync(method, path, body);
        var text = await answer.Content.ReadAsStringAsync(Cancellation);
        Assert.True(answer.IsSuccessStatusCode, text);
        return JsonNode.Parse(text)!;
    }

    private async Task<HttpResponseMessage> RequestAsync(HttpMethod method, string path, string? body)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(method, new Uri(Host.Settings["EMULATOR_ADMIN_URL"] + path));
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", MessagingConnectionString.Parse(EventHubs).Key);
        request.Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json");
        return await client.SendAsync(request, Cancellation);
    }
}
