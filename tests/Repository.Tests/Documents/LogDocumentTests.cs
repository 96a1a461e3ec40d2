using System.Reflection;
using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>The log's events as docs/logs.md lists them, and the habits that every one of them keeps.</summary>
public sealed partial class LogDocumentTests
{
    private static readonly (MethodInfo Method, LoggerMessageAttribute Event)[] Events =
    [
        .. new[]
        {
            "EventHubThroughput.Logging",
            "EventHubThroughput.Clients",
            "EventHubThroughput.Pump",
            "EventHubThroughput.Processing",
            "EventHubThroughput.Emulator.Core",
            "emulator",
        }
            .SelectMany(static assembly => Assembly.Load(assembly).GetTypes())
            .SelectMany(static type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            .Select(static method => (method, method.GetCustomAttribute<LoggerMessageAttribute>()!))
            .Where(static one => one.Item2 is not null),
    ];

    [Fact]
    public void The_document_lists_every_event_and_no_other()
    {
        var listed = File.ReadLines(RepositoryFiles.GetPath("docs", "logs.md")).Where(static line => Row().IsMatch(line));
        var real = Events
            .OrderBy(static one => one.Event.EventId)
            .Select(static one =>
                $"| {one.Event.EventId} | {one.Method.Name} | {(one.Event.Level == LogLevel.None ? "by status" : one.Event.Level)} | `{one.Event.Message}` |"
            );
        Assert.Equal(real, listed);
    }

    [Fact]
    public void Each_event_has_a_unique_id() =>
        Assert.Empty(Events.GroupBy(static one => one.Event.EventId).Where(static same => same.Count() > 1).Select(static same => same.Key));

    [Fact]
    public void The_first_value_of_a_line_names_its_subject() =>
        Assert.All(
            Events,
            static one =>
            {
                var subject = one
                    .Method.GetParameters()
                    .First(static parameter => parameter.ParameterType != typeof(ILogger) && parameter.ParameterType != typeof(LogLevel));
                Assert.Equal(Placeholder().Match(one.Event.Message).Groups["name"].Value, subject.Name, ignoreCase: true);
            }
        );

    [GeneratedRegex(@"^\| \d{4} \|", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Row();

    [GeneratedRegex(@"\{(?<name>\w+)\}", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Placeholder();
}
