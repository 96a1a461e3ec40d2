namespace EventHubThroughput.Lab.Running;

/// <summary>The line by which a consumer reports that it is about to claim partitions. A supervisor waits for it.</summary>
internal static class ReadyLine
{
    public static string Of(string owner, long events, int partitions) =>
        $"{Beginning(owner)}{events} {(events == 1 ? "event waits" : "events wait")} on {partitions} {(partitions == 1 ? "partition" : "partitions")}";

    public static bool IsOf(string owner, string line) => line.StartsWith(Beginning(owner), StringComparison.Ordinal);

    private static string Beginning(string owner) => $"owner {owner}: ";
}
