namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>The profiles that can be asked for by name.</summary>
internal static class LatencyProfiles
{
    public static LatencyProfile None { get; } = new("none");

    /// <summary>Reproduces the four published rates of the article within 6 %; senders are served in turn.</summary>
    public static LatencyProfile Article { get; } = new("article")
    {
        MessageSend = new() { SerialMilliseconds = 3.32, MeanMilliseconds = 14.88, DeviationMilliseconds = 0.65 },
        BlobWrite = new() { SerialMilliseconds = 0.65, MeanMilliseconds = 8.68, DeviationMilliseconds = 1.56 },
        CheckpointWrite = new() { MeanMilliseconds = 24.7, DeviationMilliseconds = 1.75 },
        Receive = new() { MeanMilliseconds = 8 },
    };

    public static IReadOnlyList<LatencyProfile> All { get; } = [None, Article];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(static profile => profile.Name)];

    public static LatencyProfile Named(string name) => All.Single(profile => profile.Name == name);
}
