namespace EventHubThroughput.Model.Predicting;

/// <summary>Predicts the rate of a run: by a closed form if one is exact, else by a simulation.</summary>
internal static class Predictor
{
    private const string Simulated = "simulated";

    // The share of the best rate at which the search for a degree stops.
    private const double NearlyBest = 0.98;

    // Candidates are compared with a fraction of the events, by this divisor.
    private const int Quicker = 4;

    /// <summary>The rate of a run. Null if there is no prediction.</summary>
    /// <param name="settings">The run.</param>
    public static Prediction? GetPrediction(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is { } rule ? ClosedForms.Of(settings, rule) ?? Simulate(settings, rule)?.Prediction : null;

    /// <summary>The rate of a run and the results of its simulation. Null if there is no prediction.</summary>
    /// <param name="settings">The run.</param>
    public static (Prediction Prediction, SimulatedFigures Figures)? GetDescription(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is { } rule && Simulate(settings, rule) is { } simulated
            ? (ClosedForms.Of(settings, rule) ?? simulated.Prediction, simulated.Figures)
            : null;

    /// <summary>Why there is no prediction for a run. Null if there is one.</summary>
    /// <param name="settings">The run.</param>
    public static string? WhyNot(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is null ? $"the model does not include strategy '{settings.Strategy}'"
        : GetPrediction(settings) is not null ? null
        : settings.Profile.ServiceBusQuota.IsNone && settings.Profile.BlobQuota.IsNone
            ? $"profile '{settings.Profile.Name}' has no latency, and the model includes no processor time except that of a handler's work"
        : $"the quotas of profile '{settings.Profile.Name}' are too small for a simulation";

    private static (Prediction Prediction, SimulatedFigures Figures)? Simulate(ModelSettings settings, StrategyRule rule)
    {
        var (degree, form) = (settings.Degree, Simulated);
        if (rule.FindsDegree)
        {
            degree = BestDegree(settings, rule);
            form = $"{Simulated} as pipelined with d = {degree}, the best degree that it can find";
        }

        return Run(settings, rule, degree) is { } figures ? (new Prediction(form, figures.EventsPerSecond), figures) : null;
    }

    // The lowest degree whose rate is nearly the best of all allowed degrees: found by doubling, then by bisection.
    private static int BestDegree(ModelSettings settings, StrategyRule rule)
    {
        var quick = settings with { Events = Math.Max(1, settings.Events / Quicker) };
        var rates = new SortedDictionary<int, double>();
        for (var degree = 1; degree < settings.Degree; degree *= 2)
        {
            rates[degree] = RateAt(degree);
        }

        rates[settings.Degree] = RateAt(settings.Degree);
        var enough = NearlyBest * rates.Values.Max();
        var high = rates.First(one => one.Value >= enough).Key;
        var low = rates.Keys.LastOrDefault(degree => degree < high);
        while (high - low > Math.Max(1, high / 16))
        {
            var middle = (low + high) / 2;
            (low, high) = RateAt(middle) >= enough ? (low, middle) : (middle, high);
        }

        return high;

        double RateAt(int degree) => Run(quick, rule, degree)?.EventsPerSecond ?? 0;
    }

    // The window is derived from the given degree, not from the one that is found.
    private static SimulatedFigures? Run(ModelSettings settings, StrategyRule rule, int degree) =>
        Simulation.Run(settings with { Degree = degree, Window = RunAhead.Of(settings, rule).Window }, rule);
}
