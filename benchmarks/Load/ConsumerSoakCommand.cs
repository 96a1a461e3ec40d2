using System.CommandLine;
using System.Globalization;
using System.Text;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>Runs a consumer for a long time under one fault after another, and verifies the whole run at the end.</summary>
internal static class ConsumerSoakCommand
{
    private const int Failed = 3;
    private const string Title = "# The consumer's soak";

    private static readonly OutputKind OfReport = new("soak report", static begin => begin.Span.StartsWith(Encoding.UTF8.GetBytes(Title)));

    private static readonly Option<int> Minutes = Options.Integer("--minutes", "how long", 30, 1, 10_000);

    private static readonly Option<string> Strategy = Options.Choice(
        "--strategy",
        "the consumer's strategy",
        "outloop",
        [.. StrategyCatalog.Safe.Select(static strategy => strategy.Name)]
    );

    // The closed form of outloop on profile article, batch 10 and degree 16, gives 110.9 events/s on one partition. A turn of these faults every 10 s leaves
    // about 84 of them (docs/results/soak-consumer.md), and the consumer needs the rest to catch up.
    private static readonly Option<int> Rate = Options.Integer("--rate", "events per second; the default is half of what outloop can do", 55, 1, 10_000);
    private static readonly Option<TimeSpan> Turn = Options.Duration(
        "--turn",
        "time between two faults",
        TimeSpan.FromSeconds(10),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromHours(1)
    );

    private static readonly Option<string?> Report = Options.Text("--report", "write the report to this file too (Markdown)", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Follows a hub under faults and fails when anything is lost, grows or stands still.")
        {
            Strategy,
            Minutes,
            Rate,
            Turn,
            Report,
        };
        root.CheckAll(result => new NamedFiles().Writes(Report.Name, result.GetValue(Report), OfReport).Problems());
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var time = TimeSpan.FromMinutes(parsed.GetValue(Minutes));
                var soak = new ConsumerSoak(parsed.GetValue(Strategy)!, time, parsed.GetValue(Rate), parsed.GetValue(Turn), console, clock);
                var (passed, text) = await soak.RunAsync(cancellationToken);
                if (parsed.GetValue(Report) is { } path)
                {
                    Write(path, Titled(text, parsed, clock));
                }

                return passed ? 0 : Failed;
            }
        );
        return root;
    }

    private static void Write(string path, string text)
    {
        try
        {
            using var file = OutputFile.Create(path, OfReport);
            file.Stream.Write(Encoding.UTF8.GetBytes(text));
            file.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw new FailureException(FailureCause.NotWritable, $"{Report.Name} {path}: {OutputFile.Describe(exception)}", exception);
        }
    }

    private static string Titled(string text, ParseResult parsed, TimeProvider clock) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"""
            {Title}

            `benchmarks/soak-consumer {parsed.GetValue(Minutes)}`: emulator (profile `article`, one partition), sender ({parsed.GetValue(Rate)} events/s of 256
            bytes) and `consumer --follow --strategy={parsed.GetValue(Strategy)}` as processes of their own, another fault every {DurationText.Format(
                parsed.GetValue(Turn)
            )}.
            {clock.GetUtcNow():yyyy-MM-dd}, {Environment.ProcessorCount} cores, .NET {Environment.Version}.

            {text}
            """
        );
}
