using EventHubThroughput.Processing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>The sinks that ledger and journal give evidence of: messages and blobs.</summary>
internal static class JudgedSinks
{
    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names { get; } = [ServiceBusSink.SinkName, BlobSink.SinkName];

    /// <summary>Those among the sinks of these names.</summary>
    public static SinkSet Of(IEnumerable<string> names) => names.Aggregate(SinkSet.None, static (set, name) => set | Of(name));

    /// <summary>The names of these sinks, in words.</summary>
    public static string GetText(SinkSet sinks) => string.Join(" and ", Names.Where(name => sinks.HasFlag(Of(name))));

    private static SinkSet Of(string name) =>
        name switch
        {
            ServiceBusSink.SinkName => SinkSet.Queue,
            BlobSink.SinkName => SinkSet.Archive,
            _ => SinkSet.None,
        };
}
