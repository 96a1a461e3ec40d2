using System.Text;
using System.Text.Json;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Profiles.Tests;

public sealed class ProfileReaderTests
{
    public static TheoryData<string> Names => [.. LatencyProfiles.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_profile_is_written_as_it_can_be_read(string name)
    {
        var written = Text(LatencyProfiles.Named(name));
        var read = Read(
            written
                .Replace($"\"{name}\"", "\"copy\"", StringComparison.Ordinal)
                .Replace("{\"name\":\"copy\"}", "{\"name\":\"copy\",\"basedOn\":\"none\"}", StringComparison.Ordinal)
        );
        Assert.Equal(written, Text(read with { Name = name }));
    }

    [Fact]
    public void A_name_alone_means_the_known_profile() => Assert.Same(LatencyProfiles.Article, Read("""{"name":"article"}"""));

    [Fact]
    public void A_profile_may_be_based_on_another()
    {
        var profile = Read("""{"name":"mine","basedOn":"article","checkpointWrite":{"meanMs":100,"cv":0.5,"shape":"gamma"},"throughputUnits":2}""");
        Assert.Equal(LatencyProfiles.Article.MessageSend, profile.MessageSend);
        Assert.Equal(
            new LatencyLaw
            {
                MeanMilliseconds = 100,
                DeviationMilliseconds = 50,
                Shape = DrawShape.Gamma,
            },
            profile.CheckpointWrite
        );
        Assert.Equal(2_000, profile.EventHubsQuota.EventsPerSecond);
        Assert.Equal(8_192, profile.Of(EmulatedOperation.EventDeliver).EventsPerSecond);
    }

    [Fact]
    public void All_problems_are_listed_together_with_their_lines()
    {
        var refusal = Assert.Throws<UsageException>(() =>
            Read(
                """
                { "name": "article",
                  "messageSend": { "meenMs": 3 },
                  "blobWrite": { "meanMs": -1, "sdMs": 2, "cv": 0.5 },
                  "checkpointWrite": { "stragglerEvery": 10, "concurrency": 0 },
                  "quotas": { "serviceBus": { "burstSeconds": 1 } },
                  "steps": [ { "fromSeconds": 5, "toSeconds": 5, "factor": "twice" } ],
                  "receive": {} }
                """
            )
        );
        Assert.Equal(
            [
                "body:1: 'name' 'article': is a profile of the emulator, choose another name",
                "body:2: 'messageSend.meenMs': unknown, did you mean 'meanMs'?",
                "body:3: 'blobWrite.meanMs' -1: allowed 0 to 600000",
                "body:3: 'blobWrite': 'cv' and 'sdMs' together, choose one",
                "body:3: 'blobWrite': a spread needs 'meanMs'",
                "body:4: 'checkpointWrite.concurrency' 0: allowed 1 to 100000",
                "body:4: 'checkpointWrite': 'stragglerEvery' and 'stragglerMs' belong together",
                "body:5: 'quotas.serviceBus': has no rate",
                "body:6: 'steps[0].factor' 'twice': not a number, allowed 0 to 1000",
                "body:6: 'steps[0]': 'toSeconds' is not after 'fromSeconds'",
            ],
            refusal.Problems.Take(10)
        );
        Assert.StartsWith("body:7: 'receive': unknown", refusal.Problems[10], StringComparison.Ordinal);
        Assert.Equal(11, refusal.Problems.Count);
    }

    [Theory]
    [InlineData("NaN")]
    [InlineData("Infinity")]
    [InlineData("1e400")]
    [InlineData("\"NaN\"")]
    public void A_value_that_is_not_a_number_is_refused(string value) =>
        Assert.Throws<UsageException>(() => Read("{\"name\":\"mine\",\"messageSend\":{\"meanMs\":" + value + "}}"));

    [Theory]
    [InlineData("artikle", "--profile 'artikle': unknown, did you mean 'article'? Known: none, article, ")]
    [InlineData("fast", "--profile 'fast': unknown. Known: none, article, ")]
    public void An_unknown_name_lists_those_that_are_known(string text, string expected)
    {
        var problem = ProfileReader.Problem("--profile", text);
        Assert.StartsWith(expected, problem, StringComparison.Ordinal);
        Assert.EndsWith("ops-200, or a file NAME.json", problem, StringComparison.Ordinal);
    }

    private static LatencyProfile Read(string json) => ProfileReader.Read(SettingsDocument.Parse("body", Encoding.UTF8.GetBytes(json)));

    private static string Text(LatencyProfile profile)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            ProfileText.Write(json, profile);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.ToArray());
    }
}
