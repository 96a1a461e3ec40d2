using System.Globalization;
using System.Text;
using System.Xml.Linq;
using EventHubThroughput.Consumer.Comparing.Reports;
using EventHubThroughput.Consumer.Reporting;

namespace EventHubThroughput.Consumer.Comparing.MessageSweeping;

/// <summary>A processor sweep for a terminal, for a pull request, as a page and as lines of values, all from the same columns.</summary>
internal static class MessageSweepReports
{
    private const string Title = "Service Bus processor: concurrency, threads, cores and memory";

    private static readonly (string Title, Func<MessageCell, double?> Value, Func<double?, string> Form)[] Columns =
    [
        ("concurrency", static cell => cell.Point.Concurrency, Figures.Count),
        ("cores", static cell => cell.Point.Cores, Figures.Count),
        ("GiB", static cell => cell.Point.MemoryGib, Figures.Count),
        ("messages/s", static cell => cell.MessagesPerS, Figures.Rate),
        ("of the model", static cell => cell.MessagesPerS / cell.ModelPerS, Figures.Percent),
        ("CPU % per core", static cell => cell.CpuMeanPercent, Figures.Count),
        ("at most", static cell => cell.CpuMaxPercent, Figures.Count),
        ("peak MiB", static cell => cell.PeakRssBytes, Figures.Mebibytes),
        ("locks lost", static cell => cell.LocksLost, Figures.Count),
        ("pool threads", static cell => cell.MostThreads, Figures.Count),
        ("input/s", static cell => cell.InputPerS, Figures.Rate),
        ("others' CPU %", static cell => cell.OthersCpuPercent, Figures.Count),
        ("published/s", static cell => PublishedFigures.Of(cell.Point)?.MessagesPerS, Figures.Count),
        ("published CPU %", static cell => PublishedFigures.Of(cell.Point)?.CpuPercent, Figures.Count),
        ("published MB", static cell => PublishedFigures.Of(cell.Point)?.MemoryMb, Figures.Count),
    ];

    public static string Of(ReportFormat format, MessageSweepResult result) =>
        format switch
        {
            ReportFormat.Markdown => Markdown(result),
            ReportFormat.Csv => Csv(result),
            _ => Html(result),
        };

    /// <summary>For a terminal of that width.</summary>
    public static void Write(MessageSweepResult result, int width, TextWriter output)
    {
        output.WriteLine(Heading(result));
        foreach (var sentence in result.Sentences)
        {
            output.WriteLine(sentence);
        }

        if (result.Cells.Count == 0)
        {
            return;
        }

        TextColumn[] columns =
        [
            .. Columns.Select(
                (column, place) => new TextColumn(column.Title, [.. result.Cells.Select(cell => column.Form(column.Value(cell)))], place < 4 ? 0 : place)
            ),
            new TextColumn("threads", [.. result.Cells.Select(static cell => Threads(cell.Point))]),
            new TextColumn("bound by", [.. result.Cells.Select(Bound)], IsText: true),
        ];
        TextTable.Write(columns, width, output);
    }

    private static string Markdown(MessageSweepResult result)
    {
        var text = new StringBuilder();
        text.Append("<!-- EventHubThroughput ").Append(result.Program.Version).Append(" -->\n\n");
        text.Append("# ").Append(Title).Append("\n\n").Append(Heading(result)).Append("\n\n");
        foreach (var sentence in result.Sentences)
        {
            text.Append("- ").Append(sentence).Append('\n');
        }

        text.Append("\n| threads |");
        text.AppendJoin(" |", Columns.Select(static column => $" {column.Title}")).Append(" | bound by |\n|--:|");
        text.AppendJoin("|", Columns.Select(static _ => "--:")).Append("|---|\n");
        foreach (var cell in result.Cells)
        {
            text.Append("| ").Append(Threads(cell.Point)).Append(" | ");
            text.AppendJoin(" | ", Columns.Select(column => column.Form(column.Value(cell)))).Append(" | ").Append(Bound(cell)).Append(" |\n");
        }

        text.Append('\n').Append(PublishedNote).Append("\n\n").Append(Environment(result)).Append('\n');
        return text.ToString();
    }

    private static string Csv(MessageSweepResult result)
    {
        var text = new StringBuilder("sweep,threads");
        foreach (var column in Columns)
        {
            text.Append(',').Append(column.Title);
        }

        text.Append(",bound by\n");
        foreach (var cell in result.Cells)
        {
            text.Append(MessageSweepHeader.Name).Append(',').Append(Threads(cell.Point));
            foreach (var column in Columns)
            {
                text.Append(',').Append(Figures.Exact(column.Value(cell)));
            }

            text.Append(',').Append(string.Join(' ', cell.Bounds)).Append('\n');
        }

        return text.ToString();
    }

    private static string Html(MessageSweepResult result) =>
        HtmlText.Of(
            new XElement(
                "html",
                new XAttribute("lang", "en"),
                new XElement(
                    "head",
                    new XElement("meta", new XAttribute("charset", "utf-8")),
                    new XElement("meta", new XAttribute("name", "viewport"), new XAttribute("content", "width=device-width, initial-scale=1")),
                    new XElement("meta", new XAttribute("name", "color-scheme"), new XAttribute("content", "light dark")),
                    new XElement(
                        "meta",
                        new XAttribute("http-equiv", "Content-Security-Policy"),
                        new XAttribute("content", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'")
                    ),
                    new XElement("meta", new XAttribute("name", "generator"), new XAttribute("content", $"EventHubThroughput {result.Program.Version}")),
                    new XElement("title", Title),
                    new XElement("style", ReportStyle.Text)
                ),
                new XElement(
                    "body",
                    new XElement(
                        "header",
                        new XElement("p", new XAttribute("class", "kicker"), Heading(result)),
                        new XElement("h1", result.Sentences[0]),
                        new XElement("ul", new XAttribute("class", "sentences"), result.Sentences.Skip(1).Select(static one => new XElement("li", one)))
                    ),
                    new XElement(
                        "main",
                        new XAttribute("id", "main"),
                        new ReportSection("cells", "Every cell", [PublishedNote], [TableOf(result)]).ToHtml(),
                        new ReportSection("environment", "Environment", [Environment(result)], []).ToHtml()
                    )
                )
            )
        );

    private static XElement TableOf(MessageSweepResult result) =>
        ReportTable.Of(
            Title,
            result.Cells,
            [
                new ReportColumn<MessageCell>("threads", static cell => Threads(cell.Point)),
                .. Columns.Select(static column => new ReportColumn<MessageCell>(column.Title, cell => ReportTable.Number(column.Value(cell), column.Form))),
                new ReportColumn<MessageCell>("bound by", Bound, IsNumber: false),
            ]
        );

    private const string PublishedNote =
        "Published figures come from a Java client on the real service and are for orientation only. The model is what the profile's latencies alone allow: each message holds its place for one send and one settlement.";

    private static string Heading(MessageSweepResult result) =>
        Text(
            $"profile {result.Sweep.Profile}, 12-byte messages, {result.Sweep.WarmUpS:0.#} + {result.Sweep.MeasureS:0.#} s a cell, limits by {result.Sweep.LimitMethod}{(result.Sweep.Complete ? "" : ", cut short")}"
        );

    private static string Environment(MessageSweepResult result) =>
        Text(
            $"{result.Machine.Os}, {result.Machine.CpuModel}, {result.Machine.ProcessorCountSeen} processors that emulator, feeder, drainer and processor share, load {result.Machine.LoadAverage:0.0}, {result.Machine.Runtime}, version {result.Program.Version}, {result.Sweep.StartedUtc:yyyy-MM-dd HH:mm} UTC. Again: consumer {string.Join(' ', result.Sweep.Arguments)}"
        );

    private static string Threads(MessagePoint point) => point.Threads == 0 ? "default" : point.Threads.ToString(CultureInfo.InvariantCulture);

    private static string Bound(MessageCell cell) =>
        cell.Failure is not null ? "failed"
        : cell.Bounds.Count == 0 ? "none"
        : string.Join(", ", cell.Bounds);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
