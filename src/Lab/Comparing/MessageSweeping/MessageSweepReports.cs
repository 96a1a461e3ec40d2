using System.Globalization;
using System.Text;
using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

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
            new TextColumn("threads", [.. result.Cells.Select(static cell => cell.Point.ThreadText)]),
            new TextColumn("clients", [.. result.Cells.Select(static cell => cell.Point.ClientsText)], IsText: true),
            new TextColumn("bound by", [.. result.Cells.Select(Bound)], IsText: true),
        ];
        PlainTable.Write(columns, width, output);
    }

    private static string Markdown(MessageSweepResult result)
    {
        var text = new StringBuilder();
        text.Append("<!-- EventHubThroughput ").Append(MarkdownTable.Encode(result.Program.Version)).Append(" -->\n\n");
        text.Append("# ").Append(Title).Append("\n\n").Append(MarkdownTable.Encode(Heading(result))).Append("\n\n");
        foreach (var sentence in result.Sentences)
        {
            text.Append("- ").Append(MarkdownTable.Encode(sentence)).Append('\n');
        }

        text.Append('\n');
        MarkdownTable.Append<MessageCell>(
            text,
            result.Cells,
            [
                ("clients", false, static cell => cell.Point.ClientsText),
                ("threads", true, static cell => cell.Point.ThreadText),
                .. Columns.Select<(string Title, Func<MessageCell, double?> Value, Func<double?, string> Form), (string, bool, Func<MessageCell, string>)>(
                    static column => (column.Title, true, cell => column.Form(column.Value(cell)))
                ),
                ("bound by", false, Bound),
            ]
        );
        text.Append(PublishedNote).Append("\n\n").Append(MarkdownTable.Encode(Environment(result))).Append('\n');
        return text.ToString();
    }

    private static string Csv(MessageSweepResult result)
    {
        var text = new StringBuilder();
        CsvLine.Append(text, ["sweep", "clients", "threads", .. Columns.Select(static column => column.Title), "bound by"]);
        foreach (var cell in result.Cells)
        {
            CsvLine.Append(
                text,
                [
                    MessageSweepHeader.Name,
                    cell.Point.ClientsText,
                    cell.Point.ThreadText,
                    .. Columns.Select(column => Figures.Exact(column.Value(cell))),
                    string.Join(' ', cell.Bounds),
                ]
            );
        }

        return text.ToString();
    }

    private static string Html(MessageSweepResult result) =>
        HtmlPage.Of(
            Title,
            result.Program.Version,
            new XElement(
                "header",
                new XElement("p", new XAttribute("class", "kicker"), Heading(result)),
                new XElement("h1", result.Sentences[0]),
                new XElement("ul", new XAttribute("class", "sentences"), result.Sentences.Skip(1).Select(static one => new XElement("li", one)))
            ),
            HtmlPage.GetSections([
                MessageSweepCurves.Of(result),
                new ReportSection("cells", "Every cell", [PublishedNote], [GetTable(result)]),
                new ReportSection("environment", "Environment", [Environment(result)], []),
            ])
        );

    private static XElement GetTable(MessageSweepResult result) =>
        ReportTable.Of(
            Title,
            result.Cells,
            [
                new ReportColumn<MessageCell>("clients", static cell => cell.Point.ClientsText, IsNumber: false),
                new ReportColumn<MessageCell>("threads", static cell => cell.Point.ThreadText),
                .. Columns.Select(static column => new ReportColumn<MessageCell>(column.Title, cell => ReportTable.Number(column.Value(cell), column.Form))),
                new ReportColumn<MessageCell>("bound by", Bound, IsNumber: false),
            ]
        );

    private const string PublishedNote =
        "Published figures come from a Java client on the real service and are for orientation only. The model counts the profile's latencies only: each message occupies its slot for one send and one settlement.";

    private static string Heading(MessageSweepResult result) =>
        Text(
            $"profile {result.Sweep.Profile}, 12-byte messages, {(result.Sweep.BlockMs > 0 ? Text($"handlers that block {result.Sweep.BlockMs:0.#} ms, ") : "")}{result.Sweep.WarmUpS:0.#} + {result.Sweep.MeasureS:0.#} s a cell, limits by {result.Sweep.LimitMethod}{(result.Sweep.Complete ? "" : ", interrupted")}"
        );

    private static string Environment(MessageSweepResult result) =>
        Text(
            $"{result.Machine.Os}, {result.Machine.CpuModel}, {result.Machine.ProcessorCountSeen} processors that emulator, feeder, drainer and processor share, load {result.Machine.LoadAverage:0.0}, {result.Machine.Runtime}, {BuildName.Of(result.Program)}, {result.Sweep.StartedUtc:yyyy-MM-dd HH:mm} UTC. Again: {CommandText.Of(result.Sweep.Arguments)}"
        );

    private static string Bound(MessageCell cell) =>
        cell.Failure is not null ? "failed"
        : cell.Bounds.Count == 0 ? "none"
        : string.Join(", ", cell.Bounds);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
