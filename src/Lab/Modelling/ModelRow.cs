using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>The model's figures of one strategy.</summary>
/// <param name="Strategy">The strategy.</param>
/// <param name="Settings">Its run.</param>
/// <param name="Prediction">What it would reach. Null where the model does not apply.</param>
/// <param name="Figures">The figures of a simulation of it. Null where the model does not apply.</param>
/// <param name="Baseline">The rate that ratios refer to, or null.</param>
internal sealed record ModelRow(StrategyDescriptor Strategy, ModelSettings Settings, Prediction? Prediction, SimulatedFigures? Figures, double? Baseline)
{
    /// <summary>Most events of a partition that a crash repeats. Null for a strategy without a rule in the model.</summary>
    public long? Replay => StrategyRule.Find(Strategy.Name) is { } rule ? RunAhead.Of(Settings, rule).Replay : null;

    /// <summary>Its rate by that of the baseline.</summary>
    public double? TimesBaseline => Prediction?.EventsPerSecond / Baseline;

    /// <summary>The order that it keeps.</summary>
    public string Order => Strategy.Ordering.ToString().ToLowerInvariant();

    /// <summary>Asks the model, on all processors.</summary>
    /// <param name="strategies">The strategies.</param>
    /// <param name="settingsOf">The run of each.</param>
    public static IReadOnlyList<ModelRow> Of(IReadOnlyList<StrategyDescriptor> strategies, Func<StrategyDescriptor, ModelSettings> settingsOf)
    {
        var baseline = Predictor.GetPrediction(settingsOf(StrategyCatalog.All[0]))?.EventsPerSecond;
        return
        [
            .. strategies
                .AsParallel()
                .AsOrdered()
                .Select(strategy =>
                {
                    var settings = settingsOf(strategy);
                    var known = Predictor.GetDescription(settings);
                    return new ModelRow(strategy, settings, known?.Prediction, known?.Figures, baseline);
                }),
        ];
    }
}
