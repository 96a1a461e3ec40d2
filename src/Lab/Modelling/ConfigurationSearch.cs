using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>
/// Finds the configuration with the lowest degree whose predicted rate reaches a need. It tries <c>inloop</c>, <c>keyed</c> and <c>pipelined</c>: each other
/// strategy of the same order needs at least their degree for the same rate, and these are the ones of an event pump.
/// </summary>
/// <param name="settingsOf">The run of a strategy. Its degree is chosen here.</param>
/// <param name="need">The needed rate over all partitions, in events per second.</param>
internal sealed class ConfigurationSearch(Func<StrategyDescriptor, ModelSettings> settingsOf, double need)
{
    // Candidates are compared with a fraction of the events, by this divisor.
    private const int Quicker = 4;

    // A doubled degree that gains less than this share twice in succession is the last one.
    private const double LeastGain = 1.02;

    // The share of the best rate at which a lower degree is as good.
    private const double NearlyBest = 0.98;

    // A quick simulation and a whole one differ by about 1 %. Then a few steps of this share of the degree are enough.
    private const double Step = 0.02;
    private const int MostSteps = 10;

    private static readonly IReadOnlyList<StrategyDescriptor> Candidates =
    [
        StrategyCatalog.Find("inloop"),
        StrategyCatalog.Find("keyed"),
        StrategyCatalog.Find("pipelined"),
    ];

    /// <summary>The needed rate.</summary>
    public double Need => need;

    /// <summary>The run of a strategy, with the degree that was given.</summary>
    public ModelSettings GetSettings(StrategyDescriptor strategy) => settingsOf(strategy);

    /// <summary>The cheapest configuration that reaches the need, or the one that comes nearest. Null if the model predicts no rate.</summary>
    /// <param name="order">The order that it must keep.</param>
    public ModelledConfiguration? Find(OrderingGuarantee order)
    {
        var found = Candidates.Where(one => Suits(one, order)).AsParallel().AsOrdered().Select(Find).OfType<ModelledConfiguration>().ToList();
        var reached = found.Where(Reaches).ToList();
        return reached.Count > 0 ? reached.MinBy(static one => (one.Degree, one.Replay)) : found.MaxBy(static one => one.EventsPerSecond);
    }

    /// <summary>Whether a configuration reaches the need.</summary>
    public bool Reaches(ModelledConfiguration configuration) => configuration.EventsPerSecond >= need;

    // Without a wanted order, that of keys has no use, and costs rate.
    private static bool Suits(StrategyDescriptor strategy, OrderingGuarantee order) =>
        strategy.Ordering >= order && (strategy.Ordering != OrderingGuarantee.Key || order == OrderingGuarantee.Key);

    private ModelledConfiguration? Find(StrategyDescriptor strategy)
    {
        var settings = settingsOf(strategy);
        if (strategy.TakesEventsInTurn)
        {
            return Describe(strategy, settings with { Degree = 1 });
        }

        var quick = settings with { Events = Math.Max(1, settings.Events / Quicker) };
        var rates = new SortedDictionary<int, double>();
        var gainless = 0;
        for (var degree = 1; degree <= ProcessingOptions.MaxConcurrencyLimit && gainless < 2; degree *= 2)
        {
            var before = rates.Count > 0 ? rates.Values.Max() : 0;
            rates[degree] = RateAt(degree);
            gainless = rates[degree] >= LeastGain * before ? 0 : gainless + 1;
            if (rates[degree] >= need)
            {
                break;
            }
        }

        var enough = Math.Min(need, NearlyBest * rates.Values.Max());
        var high = rates.First(one => one.Value >= enough).Key;
        var low = rates.Keys.LastOrDefault(degree => degree < high);
        while (high - low > 1)
        {
            var middle = (low + high) / 2;
            (low, high) = RateAt(middle) >= enough ? (low, middle) : (middle, high);
        }

        return Confirm(strategy, settings, high, isReached: rates.Values.Max() >= need);

        double RateAt(int degree) => Predictor.GetPrediction(quick with { Degree = degree })?.EventsPerSecond ?? 0;
    }

    private ModelledConfiguration? Confirm(StrategyDescriptor strategy, ModelSettings settings, int degree, bool isReached)
    {
        var found = Describe(strategy, settings with { Degree = degree });
        for (var step = 0; isReached && step < MostSteps && found is not null && !Reaches(found); step++)
        {
            degree = Math.Min(ProcessingOptions.MaxConcurrencyLimit, degree + Math.Max(1, (int)(Step * degree)));
            found = Describe(strategy, settings with { Degree = degree });
        }

        return found;
    }

    private static ModelledConfiguration? Describe(StrategyDescriptor strategy, ModelSettings settings) =>
        Predictor.GetDescription(settings) is var (prediction, figures)
            ? new ModelledConfiguration(strategy, settings, prediction.EventsPerSecond, figures.SinceBegun.P99)
            : null;
}

/// <summary>A configuration with what the model predicts of it.</summary>
/// <param name="Strategy">The strategy.</param>
/// <param name="Settings">Its run.</param>
/// <param name="EventsPerSecond">The rate over all partitions.</param>
/// <param name="P99">The 99th percentile of an event's time from its first write until every sink has it, in milliseconds.</param>
internal sealed record ModelledConfiguration(StrategyDescriptor Strategy, ModelSettings Settings, double EventsPerSecond, double P99)
{
    private RunAhead Limits { get; } = RunAhead.Of(Settings, StrategyRule.Find(Strategy.Name)!);

    /// <summary>The most events of a partition in flight.</summary>
    public int Degree => Settings.Degree;

    /// <summary>The most events of a partition above the low watermark.</summary>
    public int Window => Limits.Window;

    /// <summary>The most events of a partition that a crash redelivers.</summary>
    public long Replay => Limits.Replay;
}
