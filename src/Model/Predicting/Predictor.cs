namespace EventHubThroughput.Model.Predicting;

/// <summary>What a run would reach: by a closed form where one is exact, else by a simulation.</summary>
internal static class Predictor
{
    private const string Simulated = "simulated";

    // Of the best rate that any degree gives: the search for one goes no further for the rest.
    private const double NearlyBest = 0.98;

    // Candidates are told apart with so many events less.
    private const int Quicker = 4;

    /// <summary>The rate of a run; null where nothing can be said.</summary>
    /// <param name="settings">The run.</param>
    public static Prediction? PredictionOf(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is { } rule ? ClosedForms.Of(settings, rule) ?? Simulate(settings, rule)?.Prediction : null;

    /// <summary>The rate of a run and what a simulation of it saw; null where nothing can be said.</summary>
    /// <param name="settings">The run.</param>
    public static (Prediction Prediction, SimulatedFigures Figures)? DescriptionOf(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is { } rule && Simulate(settings, rule) is { } simulated
            ? (ClosedForms.Of(settings, rule) ?? simulated.Prediction, simulated.Figures)
            : null;

    /// <summary>Why nothing can be said of a run; null where something can.</summary>
    /// <param name="settings">The run.</param>
    public static string? WhyNot(ModelSettings settings) =>
        StrategyRule.Find(settings.Strategy) is null ? $"the model does not include strategy '{settings.Strategy}'"
        : PredictionOf(settings) is not null ? null
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

    // The least degree whose rate is nearly the best of all that are allowed: doubled, then halved in.
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

    // The window follows from the degree that was chosen, not from the one that is found.
    private static SimulatedFigures? Run(ModelSettings settings, StrategyRule rule, int degree) =>
        Simulation.Run(settings with { Degree = degree, Window = RunAhead.Of(settings, rule).Window }, rule);
}
