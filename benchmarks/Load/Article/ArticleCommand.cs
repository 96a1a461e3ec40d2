using System.CommandLine;
using EventHubThroughput.Clients.Azure;
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

    private static readonly Option<bool> AtOnce = Options.Flag(
        "--at-once",
        "all four strategies at the same time, each with a separate emulator; else in turn"
    );

    private static readonly IReadOnlyList<string> Families = [.. ClientFamilies.All.Select(static family => family.Name)];

    private static readonly Option<IReadOnlyList<string>> Clients = Options.ListOf("--clients", "whose clients, one family after another", Families, Families);

    private static readonly Option<string?> Figure = Options.Text("--figure", "write the figure to this file (SVG)", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures the article's four strategies on its profile, scraped as it was, and prints its table with ours beside it.")
        {
            WarmUp,
            Measure,
            Scrape,
            AtOnce,
            Clients,
            Figure,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var times = new ArticleTimes(parsed.GetValue(WarmUp), parsed.GetValue(Measure), parsed.GetValue(Scrape));
                IReadOnlyList<ArticleColumn> columns = [.. PublishedRun.All.Select(ArticleColumn.Predict)];
                foreach (var clients in parsed.GetValue(Clients)!)
                {
                    columns = await MeasureAsync(columns, clients, times, parsed.GetValue(AtOnce), clock, cancellationToken);
                }

                foreach (var line in ArticleTable.Of(columns))
                {
                    await console.Output.WriteLineAsync(line);
                }

                if (parsed.GetValue(Figure) is { } path)
                {
                    await File.WriteAllTextAsync(path, $"{GaugeFigure.Of(columns)}\n", cancellationToken);
                }

                return 0;
            }
        );
        return root;
    }

    private static async Task<IReadOnlyList<ArticleColumn>> MeasureAsync(
        IReadOnlyList<ArticleColumn> columns,
        string clients,
        ArticleTimes times,
        bool atOnce,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        if (atOnce)
        {
            return await Task.WhenAll(columns.Select(AddAsync));
        }

        var measured = new List<ArticleColumn>();
        foreach (var column in columns)
        {
            measured.Add(await AddAsync(column));
        }

        return measured;

        async Task<ArticleColumn> AddAsync(ArticleColumn column) =>
            column with
            {
                Measured = [.. column.Measured, await ArticleRun.RunAsync(column, clients, times, clock, cancellationToken)],
            };
    }
}
