using System.CommandLine;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Article;

/// <summary>Prints the article's table next to the figures of the model and of the consumer, with the article's statistic.</summary>
internal static class ArticleCommand
{
    private static readonly Option<TimeSpan> WarmUp = Options.Duration(
        "--warm-up",
        "time that is left out of each run",
        TimeSpan.FromSeconds(20),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(10)
    );

    private static readonly Option<TimeSpan> Measure = Options.Duration(
        "--measure",
        "time that is measured of each run",
        TimeSpan.FromMinutes(15),
        TimeSpan.FromSeconds(5),
        TimeSpan.FromHours(2)
    );

    private static readonly Option<TimeSpan> Scrape = Options.Duration(
        "--scrape",
        "time between two scrapes",
        TimeSpan.FromSeconds(10),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(1)
    );

    private static readonly Option<bool> AtOnce = Options.Flag("--at-once", "all four runs at the same time, each with an emulator of its own; else in turn");
    private static readonly Option<string?> Figure = Options.Text("--figure", "write the figure to this file (SVG)", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures the article's four strategies on its profile, scraped as it was, and prints its table with ours beside it.")
        {
            WarmUp,
            Measure,
            Scrape,
            AtOnce,
            Figure,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var times = new ArticleTimes(parsed.GetValue(WarmUp), parsed.GetValue(Measure), parsed.GetValue(Scrape));
                var runs = await RunAsync(times, parsed.GetValue(AtOnce), clock, cancellationToken);
                foreach (var line in ArticleTable.Of(runs))
                {
                    await console.Output.WriteLineAsync(line);
                }

                if (parsed.GetValue(Figure) is { } path)
                {
                    await File.WriteAllTextAsync(path, $"{GaugeFigure.Of(runs)}\n", cancellationToken);
                }

                return 0;
            }
        );
        return root;
    }

    private static async Task<IReadOnlyList<ArticleFigures>> RunAsync(ArticleTimes times, bool atOnce, TimeProvider clock, CancellationToken cancellationToken)
    {
        if (atOnce)
        {
            return await Task.WhenAll(PublishedRun.All.Select(published => ArticleRun.RunAsync(published, times, clock, cancellationToken)));
        }

        var runs = new List<ArticleFigures>();
        foreach (var published in PublishedRun.All)
        {
            runs.Add(await ArticleRun.RunAsync(published, times, clock, cancellationToken));
        }

        return runs;
    }
}
