using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The runs to which the model applies, and its settings for them.</summary>
internal static class ModelChoice
{
    /// <summary>
    /// The model's prediction. Null where it does not apply. The model covers the profile of an emulator that belongs to the run, no faults, and no rate. The
    /// rate of a run that is fed is the rate of its sender. The keys of a file of events, and the time of a custom sink, are unknown to the model. It has
    /// a message and a blob for each event, or the described writes.
    /// </summary>
    public static Prediction? GetPrediction(RunOptions options) => GetSettings(options) is { } settings ? Predictor.GetPrediction(settings) : null;

    /// <summary>The model's settings for a run. Null where it does not apply.</summary>
    public static ModelSettings? GetSettings(RunOptions options) =>
        options.Load is { Faults: null, Rate: null, KeyField: null } load && IsKnown(options) && GetProfile(load.Profile) is { } profile
            ? GetSettings(options, load, profile)
            : null;

    /// <summary>The model's settings for a run on a profile.</summary>
    public static ModelSettings GetSettings(RunOptions options, LoadOptions load, LatencyProfile profile) =>
        new()
        {
            Strategy = options.Processing.Strategy.Name,
            Profile = profile,
            Writes = DescribedWriteReader.Read(nameof(RunOptions.Writes), options.Writes ?? []),
            Options = options.StrategyOptionsInForce,
            Degree = options.Processing.MaxConcurrency,
            Batch = options.Processing.BatchSize,
            Prefetch = options.Processing.Prefetch,
            Window = options.Processing.Window,
            ReplayLimit = options.Processing.ReplayLimit,
            Checkpoints = GetRule(options.Processing.Checkpoints),
            Partitions = load.Partition is null ? load.Partitions : 1,
            Keys = load.Keys,
            KeySkew = load.KeySkew,
            EventBytes = load.Size.Mean,
            WorkMicroseconds = options.Work.Cpu.TotalMicroseconds,
            BlockMilliseconds = options.Work.Block.TotalMilliseconds,
            Processors = Environment.ProcessorCount,
        };

    /// <summary>The rule of checkpoints, in the form of the model.</summary>
    public static CheckpointRule GetRule(CheckpointOptions checkpoints) => new(checkpoints.Events, checkpoints.Interval?.TotalMilliseconds);

    // Sinks that are message and blob, or described writes alone.
    private static bool IsKnown(RunOptions options) =>
        options.Writes is { } writes
            ? options.Sinks.Count == writes.Count
            : options.Sinks.Count == SinkCatalog.All.Count
                && options.Sinks.Select(static sink => sink.Name).ToHashSet().SetEquals(SinkCatalog.All.Select(static sink => sink.Name));

    // By its name, or from a file. The file may have changed since the emulator read it.
    private static LatencyProfile? GetProfile(string profile)
    {
        try
        {
            return ProfileReader.Problem("", profile) is null ? ProfileReader.Of(profile) : null;
        }
        catch (UsageException)
        {
            return null;
        }
    }
}
