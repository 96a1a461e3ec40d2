using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Adds to the result of a cell's process what only the comparison has: the load, the latencies, the verdict and the prediction.</summary>
internal static class CellResultDocument
{
    /// <summary>The whole result. Null where the process left none.</summary>
    public static RunResult? Of(ComparisonPlan plan, FinishedCell cell, VerdictReport verdictReport)
    {
        if (cell.Result is not { } result)
        {
            return null;
        }

        var load = plan.Load;
        // The latencies of services that exist are unknown to the model.
        var prediction =
            plan.Services is null
            && ModelChoice.GetSettings(cell.Cell.ComparedConfiguration.Options with { Load = cell.Cell.ComparedConfiguration.GetLoad(plan) }) is { } settings
                ? Predictor.GetPrediction(settings with { Profile = MeasuredLatencies.Of(settings.Profile, cell.Latencies) })
                : null;
        var comparable = RunReport.FillsBatches(result.Strategy.BatchSizes, result.Strategy.BatchMax);
        return result with
        {
            Run = result.Run with { Command = CommandText.Of(plan.Arguments), Block = cell.Cell.Block, OrderInBlock = cell.Cell.Place, Seed = plan.Seed },
            Input = result.Input with
            {
                Events = plan.IsOpenLoop ? null : load.Events,
                BodyBytes = load.Size.Mean,
                BodyBytesMin = load.Size.Least,
                BodyBytesMax = load.Size.Most,
                BodySizes = load.Size.Text,
                Keys = load.Keys,
                KeySkew = load.Keys > 0 ? load.KeySkew : null,
            },
            Throughput = result.Throughput with { MbPerS = ThroughputFigures.GetMegabytes(result.Throughput.EventsPerS, load.Size.Mean) },
            Profile = result.Profile with { Faults = load.Faults?.Split(','), Latencies = cell.Latencies },
            Safety = VerdictDocument.Of(verdictReport, plan.Services is null ? null : ReadBackFields.Unknown),
            Model = prediction is null
                ? null
                : new ModelComparison
                {
                    Form = prediction.Form,
                    PredictedEventsPerS = prediction.EventsPerSecond,
                    MeasuredToPredicted = comparable ? result.Throughput.EventsPerS / prediction.EventsPerSecond : null,
                },
            Bounds = result.Bounds with
            {
                Status =
                    result.Throughput.EventsPerS is null ? MeasurementStatus.NotSettled
                    : cell.MissedBy > 0 ? MeasurementStatus.ProfileMissed
                    : result.Time.Settled == false ? MeasurementStatus.NotSettled
                    : MeasurementStatus.Ok,
            },
        };
    }
}
