using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The events of the judged run that are stored according to their sender, and the names that the sinks give an event.</summary>
internal static class EventNames
{
    public static IEnumerable<EventAppended> Promised(GoodRun run)
    {
        var rows = run.Ledger.Where(static row => row is { Run: GoodRun.Run, Outcome: SendOutcome.Acked }).Select(static row => $"{row.Index}").ToHashSet();
        return run
            .Journal.OfType<EventAppended>()
            .Where(appended => appended is { Hub: GoodRun.Hub, Properties: { } stamp } && stamp["eht-run"] == GoodRun.Run && rows.Contains(stamp["eht-index"]));
    }

    public static string Message(EventAppended appended) => $"{appended.Hub}-{appended.Partition}-{appended.Sequence}";

    public static string Blob(EventAppended appended) =>
        string.Create(CultureInfo.InvariantCulture, $"{appended.Hub}/{appended.Partition}/{appended.Sequence:D20}");
}
