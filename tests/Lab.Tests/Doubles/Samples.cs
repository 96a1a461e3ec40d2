using EventHubThroughput.Lab.Measurement;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>Twelve events of which each message takes 18 ms and each blob 9 ms.</summary>
internal static class Samples
{
    private const int Size = 12;

    /// <summary>One event after another, with a checkpoint of 25 ms after the tenth.</summary>
    public static SampledEvents InTurn() =>
        Of(static place => (place * 27.0) + (place < 10 ? 0 : 25), static _ => 18, [new SampledSpan { FromMs = 270, ToMs = 295 }]);

    /// <summary>All of them concurrently, after they have waited in the window for 200 ms.</summary>
    public static SampledEvents Concurrent() => Of(static place => 200 + (0.25 * place), static _ => 0, []);

    private static SampledEvents Of(Func<int, double> begun, Func<int, double> blobAfter, IReadOnlyList<SampledSpan> checkpoints) =>
        new()
        {
            Partition = "0",
            Events =
            [
                .. Enumerable
                    .Range(0, Size)
                    .Select(place => new SampledEvent
                    {
                        Sequence = 100 + place,
                        ReceivedMs = 0,
                        HandedOverMs = 0.5,
                        BegunMs = begun(place),
                        Writes = new Dictionary<string, SampledSpan>
                        {
                            ["servicebus"] = new() { FromMs = begun(place), ToMs = begun(place) + 18 },
                            ["blob"] = new() { FromMs = begun(place) + blobAfter(place), ToMs = begun(place) + blobAfter(place) + 9 },
                        },
                        CompletedMs = begun(place) + Math.Max(18, blobAfter(place) + 9),
                        BatchEndedMs = checkpoints.Count > 0 ? checkpoints[0].ToMs : 1,
                    }),
            ],
            Checkpoints = checkpoints,
        };
}
