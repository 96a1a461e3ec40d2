using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Measurement;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>Which runs a closed form speaks of.</summary>
internal static class ModelChoice
{
    /// <summary>
    /// The model's prediction; null where it does not apply: it knows the article's profile on one partition, no faults, no rate and no work beside the writes, and of
    /// strategies with a barrier those that store a checkpoint at each batch end.
    /// </summary>
    public static Prediction? PredictionOf(ConsumerOptions options) =>
        options.Embedded is { Profile: "article", Partitions: 1, Faults: null, Rate: null } && options.Work == default && KnowsCheckpointsOf(options)
            ? ArticleModel.Predict(options.Strategy.Name, options.Batch, options.Degree, options.Prefetch, options.Limits.Window)
            : null;

    // Without a barrier no checkpoint is waited for, unless the replay limit was chosen so small. A full window is worked off to its half before
    // anything else is handed over, so one below twice the degree leaves less than the degree in flight.
    private static bool KnowsCheckpointsOf(ConsumerOptions options) =>
        options.Strategy.IsBarrier
            ? options.StoresAtBatchEnds
            : ArticleModel.GoesOn(options.Strategy.Name) && options.ReplayLimit is null && options.Limits.Window >= 2 * options.Degree;
}
