using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>A message cannot hold its topic up: all rules together have a limit of steps, and log and journal name what is beyond it.</summary>
public sealed class RuleBudgetTests : RunningEmulator
{
    private const int Letters = 32_000;

    private readonly LogRecorder _log = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-rules").FullName;

    // Each letter of the text may begin the pattern, which differs in its last letter.
    private static string Costly => $"p LIKE '%{new string('a', 900)}b'";

    private string Journal => Path.Combine(_folder, "journal");

    private Topic Topic => Host.Queues.FindTopic("topic")!;

    [Fact]
    public void A_rule_beyond_the_budget_takes_no_message_and_is_named()
    {
        Subscribe("one", Costly);

        Topic.Send([Message("m1", Letters)], null, 0);

        Assert.Equal(0, Topic.Find("one")!.Queue.Count);
        var line = Assert.Single(_log.Of("RulesNotEvaluated"));
        Assert.Equal((2018, LogLevel.Warning), (line.EventId.Id, line.Level));
        Assert.StartsWith("topic/Subscriptions/one: 1 of its rules, first rule-0,", line.Message, StringComparison.Ordinal);
        Assert.Contains(
            "\"k\":\"sb.rule\",\"entity\":\"topic/Subscriptions/one\",\"messageId\":\"m1\",\"rule\":\"rule-0\"}",
            Recorded(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void One_budget_covers_all_rules_of_a_message()
    {
        Subscribe("one", [.. Enumerable.Repeat(Costly, 90)]);
        Subscribe("two", Costly, "1=1");

        Topic.Send([Message("m1", Letters), Message("m2", 3)], null, 0);

        Assert.Equal(["m1", "m2"], GetIds("two"));
        Assert.Contains("\"messageId\":\"m1\",\"rule\":\"rule-0\",\"count\":90}", Recorded(), StringComparison.Ordinal);
        Assert.Contains("\"entity\":\"topic/Subscriptions/two\",\"messageId\":\"m1\",\"rule\":\"rule-0\"}", Recorded(), StringComparison.Ordinal);
        Assert.DoesNotContain("\"messageId\":\"m2\",\"rule\"", Recorded(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("p LIKE p + p", 0)]
    [InlineData("EXISTS(nowhere) OR nowhere = 1", 20_000)]
    [InlineData("newid() = newid()", 0)]
    [InlineData("p + p + p + p + p + p + p + p = 'x'", 0)]
    [InlineData("p IN (p + 'x', 'y' + p, p + 'z')", 0)]
    public void Every_costly_expression_is_counted(string condition, int properties)
    {
        // Its last part is false, so that every part of every rule is evaluated.
        var whole = string.Join(" AND ", [.. Enumerable.Repeat($"NOT ({condition})", 1_000 / (condition.Length + 12)), "1 = 2"]);
        Subscribe("one", [.. Enumerable.Repeat(whole, 2_000), "1=1"]);

        Topic.Send([Message("m1", Letters / 10, properties)], null, 0);

        Assert.NotEmpty(_log.Of("RulesNotEvaluated"));
        Assert.Equal(["m1"], GetIds("one"));
    }

    [Fact]
    public void Rules_as_they_are_written_stay_far_below_the_budget()
    {
        Subscribe(
            "one",
            [.. Enumerable.Range(0, 1_990).Select(static number => $"league = {number} AND sys.Label LIKE 'match-%' AND p LIKE '%goal%'"), "p LIKE '%aab'"]
        );

        Topic.Send([Message("m1", 200)], null, 0);

        Assert.Empty(_log.Of("RulesNotEvaluated"));
        Assert.Equal(0, Topic.Find("one")!.Queue.Count);
    }

    private protected override EmulatorOptions Options() => new() { LoggerFactory = _log, JournalPath = Journal };

    private void Subscribe(string name, params IReadOnlyList<string> conditions)
    {
        Host.Queues.CreateTopic(new TopicSettings("topic"));
        var rules = conditions.Select(static (condition, number) => new FirstRule($"rule-{number}", SqlFilter.Of(condition, []))).ToList();
        Assert.Equal(CreateVerdict.Created, Host.Queues.CreateSubscription("topic", new QueueSettings(name) { Rules = rules }));
    }

    private string[] GetIds(string subscription) =>
        [.. Topic.Find(subscription)!.Queue.Peek(0, int.MaxValue).Select(static message => message.Content.MessageId)];

    private string Recorded()
    {
        using var file = new FileStream(Journal, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(file);
        return reader.ReadToEnd();
    }

    private static MessageContent Message(string id, int letters, int properties = 0)
    {
        var values = new AmqpMap { { "p", new string('a', letters) } };
        for (var number = 0; number < properties; number++)
        {
            values.Add($"n{number}", number);
        }

        var message = new AmqpMessage
        {
            Properties = new MessageProperties { MessageId = id },
            ApplicationProperties = values,
        };
        return MessageContent.Of(MessageParts.Parse(message.Encode()));
    }
}
