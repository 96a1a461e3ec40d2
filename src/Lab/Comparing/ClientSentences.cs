using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The gain of leaner clients: a sentence for each strategy that was compared on both families with the same settings.</summary>
internal static class ClientSentences
{
    private const string Setting = "clients=";

    public static IEnumerable<string> Of(ComparisonPlan plan, IReadOnlyList<ComparedStrategy> strategies, IReadOnlyList<ComparedPair> pairs) =>
        from official in plan.Configurations
        where official.Options.Clients.Name == ClientFamily.Official
        from leaner in plan.Configurations
        where leaner.Options.Clients.Name == ClientFamily.BuiltIn.Name && WithoutClients(official.Label) == WithoutClients(leaner.Label)
        let pair = pairs.FirstOrDefault(one => one.First == leaner.Label && one.Second == official.Label)
            ?? Reversed(pairs.FirstOrDefault(one => one.First == official.Label && one.Second == leaner.Label))
        where pair is { Ratio: not null }
        select Sentence(pair, strategies.First(one => one.Label == leaner.Label), strategies.First(one => one.Label == official.Label));

    private static string Sentence(ComparedPair pair, ComparedStrategy leaner, ComparedStrategy official)
    {
        var interval = pair.Ratio95 is { } range ? Text($"{range.Low:0.00} to {range.High:0.00}") : "no interval";
        var processor =
            leaner.ConsumerCpuUsPerEvent is { } less && official.ConsumerCpuUsPerEvent is { } more and > 0
                ? Text($", with {less / more:0.00} x the processor time per event")
                : "";
        return Text($"Clients: {leaner.Label} has {pair.Ratio:0.00} x the rate of {official.Label} ({interval}){processor}.");
    }

    // Two configurations that differ only in their clients have labels that differ only in this part.
    private static string WithoutClients(string label) =>
        string.Join(':', label.Split(':').Where(static part => !part.StartsWith(Setting, StringComparison.Ordinal)));

    private static ComparedPair? Reversed(ComparedPair? pair) =>
        pair is null
            ? null
            : pair with
            {
                First = pair.Second,
                Second = pair.First,
                Ratio = 1 / pair.Ratio,
                Ratio95 = pair.Ratio95 is { } range ? new Interval { Low = 1 / range.High, High = 1 / range.Low } : null,
            };

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
