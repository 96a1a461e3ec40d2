using System.Text;

namespace EventHubThroughput.Interop;

/// <summary>Which feature works with which client: the table of tests/Interop/README.md, made from what passed.</summary>
internal static class SupportTable
{
    public const string Begin = "<!-- support table: begin, written by SupportTableTests -->";
    public const string End = "<!-- support table: end -->";

    private static readonly FlowClient[] Clients =
    [
        FlowClient.JavaScript,
        FlowClient.Python,
        FlowClient.Uamqp,
        FlowClient.Rhea,
        FlowClient.Lite,
        FlowClient.Proton,
        FlowClient.Ours,
    ];

    /// <summary>The table's text.</summary>
    /// <param name="outcomes">Every flow: its client, its feature, and whether it passed.</param>
    public static string Render(IReadOnlyCollection<FlowOutcome> outcomes)
    {
        var text = new StringBuilder();
        text.Append(
            $"| feature | JavaScript | Python | uamqp | rhea | AMQPNetLite | qpid-proton | ours | {string.Join(" | ", TriedByHand.All.Select(static tried => $"{tried.Client}, manual"))} |\n"
        );
        text.Append($"|---{string.Concat(Enumerable.Repeat("|:-:", Clients.Length + TriedByHand.All.Count))}|\n");
        foreach (var feature in Features.All)
        {
            var counts = Clients.Select(client => GetCell([.. outcomes.Where(outcome => outcome.Client == client && outcome.Feature == feature)]));
            IEnumerable<string> tried = TriedByHand.All.Select(tried => tried.Passed.Contains(feature) ? "yes" : "-");
            text.Append($"| {feature} | {string.Join(" | ", counts.Concat(tried))} |\n");
        }

        return text.ToString();
    }

    /// <summary>The document with the table between its two marks replaced.</summary>
    public static string Replace(string document, string table)
    {
        var begin = document.IndexOf(Begin, StringComparison.Ordinal);
        var end = document.IndexOf(End, StringComparison.Ordinal);
        return begin < 0 || end < begin
            ? throw new InvalidOperationException($"The document lacks the marks '{Begin}' and '{End}'.")
            : $"{document[..(begin + Begin.Length)]}\n{table}{document[end..]}";
    }

    private static string GetCell(FlowOutcome[] outcomes)
    {
        var passed = outcomes.Count(static outcome => outcome.Passed);
        return outcomes.Length == 0 ? "-"
            : passed == outcomes.Length ? $"{passed}"
            : $"{passed} of {outcomes.Length}";
    }
}

/// <summary>One flow, as the support table needs it.</summary>
internal readonly record struct FlowOutcome(FlowClient Client, string Feature, bool Passed);
