using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>The predictions as the document of a result file.</summary>
internal static class ModelDocument
{
    public static ModelResult Of(ModelSettings settings, IReadOnlyList<ModelRow> rows, Recommendation? recommended) =>
        new()
        {
            Run = new ModelHeader
            {
                Schema = 1,
                Kind = ResultKind.Model,
                Version = ProgramVersion.Text,
            },
            Input = new ModelInput
            {
                Profile = settings.Profile.Name,
                Writes = settings.Writes.Count > 0 ? [.. settings.Writes.Select(static write => write.ToString())] : null,
                Degree = settings.Degree,
                BatchMax = settings.Batch,
                Prefetch = settings.Prefetch,
                Window = settings.Window,
                ReplayLimit = settings.ReplayLimit,
                CheckpointEvents = settings.Checkpoints.Events,
                CheckpointIntervalMs = settings.Checkpoints.Milliseconds,
                Partitions = settings.Partitions,
                Keys = settings.Keys,
                KeySkew = settings.KeySkew,
                BodyBytesMean = settings.EventBytes,
                WorkCpuUs = settings.WorkMicroseconds,
                WorkBlockMs = settings.BlockMilliseconds,
                Processors = settings.Processors,
                Events = settings.Events,
                Seed = settings.Seed,
            },
            Recommended = recommended is { Found: { } found } ? Of(recommended, found) : null,
            Strategies = [.. rows.Select(Of)],
        };

    private static RecommendedConfiguration Of(Recommendation recommended, ModelledConfiguration found) =>
        new()
        {
            NeedPerS = recommended.Search.Need,
            Order = GetName(recommended.Order),
            Reached = recommended.Search.Reaches(found),
            Sentence = RecommendationText.GetSentence(recommended.Search, recommended.Order, found),
            Strategy = found.Strategy.Name,
            Degree = found.Degree,
            Window = found.Window,
            BatchMax = found.Settings.Batch,
            EventsPerS = found.EventsPerSecond,
            P99Ms = found.P99,
            ReplayLimit = found.Replay,
            Options = RecommendationText.GetOptions(found),
            Code = [.. RecommendationText.GetCode(found)],
        };

    private static string GetName(OrderingGuarantee order) =>
        order switch
        {
            OrderingGuarantee.Partition => "partition",
            OrderingGuarantee.Key => "key",
            _ => "none",
        };

    private static ModelledStrategy Of(ModelRow row) =>
        new()
        {
            Name = row.Strategy.Name,
            Unsafe = row.Strategy.IsUnsafe,
            Order = row.Order,
            Options = row.Settings.Options,
            ReplayLimit = row.Replay,
            Form = row.Prediction?.Form,
            NotPredicted = row.Prediction is null ? Predictor.WhyNot(row.Settings) : null,
            EventsPerS = row.Prediction?.EventsPerSecond,
            TimesBaseline = row.TimesBaseline,
            Event = Of(row.Figures?.SinceBegun),
            SinceHandOver = Of(row.Figures?.SinceHandOver),
            MeanInFlight = row.Figures?.MeanInFlight,
            CheckpointsPerThousandEvents = row.Figures?.CheckpointsPerThousand,
            LargestReplay = row.Figures?.LargestReplay,
            ThrottlesPerThousandEvents = row.Figures?.ThrottlesPerThousand,
        };

    private static ModelledTimes? Of(SimulatedTimes? times) =>
        times is { } known
            ? new ModelledTimes
            {
                MeanMs = known.Mean,
                P50Ms = known.P50,
                P99Ms = known.P99,
            }
            : null;
}
