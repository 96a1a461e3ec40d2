using System.Text.Json.Serialization;

namespace EventHubThroughput.Lab.Results;

/// <summary>One strategy at several degrees, with the conclusions from them.</summary>
internal sealed record SweptSeries
{
    /// <summary>The strategy with all of its settings except the degree.</summary>
    public required string Label { get; init; }

    /// <summary>The degrees in order, with what was measured at each.</summary>
    public required IReadOnlyList<SweptDegree> Degrees { get; init; }

    /// <summary>The scalability law through them. Null with fewer than eight degrees.</summary>
    public SweptLaw? Law { get; init; }

    /// <summary>The degree from which on more does not help. Null where no such degree is seen.</summary>
    public FittedFigure? Knee { get; init; }

    /// <summary>The degree with the highest rate. Null where nothing was measured.</summary>
    public int? Best { get; init; }

    /// <summary>The degree to use: the smallest within 5 % of the best whose percentile 99 is at most 1.5 times that at half of it. Null for none.</summary>
    public int? Recommended { get; init; }

    /// <summary>The point at the degree to use, or else the fastest one. Null where nothing was measured.</summary>
    [JsonIgnore]
    public SweptDegree? PointToUse => Degrees.FirstOrDefault(one => one.Degree == (Recommended ?? Best));

    /// <summary>The recommendation in a sentence, with the degrees that were not chosen.</summary>
    public required string Sentence { get; init; }
}

/// <summary>What was measured at one degree.</summary>
internal sealed record SweptDegree
{
    /// <summary>The degree.</summary>
    public required int Degree { get; init; }

    /// <summary>Its label among the strategies.</summary>
    public required string Label { get; init; }

    /// <summary>Median of the rates. Null where none counts.</summary>
    public double? EventsPerS { get; init; }

    /// <summary>Median of the predictions.</summary>
    public double? PredictedEventsPerS { get; init; }

    /// <summary>The model's prediction on the requested profile. Null where excluded cells withhold no point, and in results of earlier versions.</summary>
    public double? ProfilePredictedEventsPerS { get; init; }

    /// <summary>Its figures where all its cells are excluded. Null otherwise, and in results of earlier versions.</summary>
    public ExcludedFigures? Excluded { get; init; }

    /// <summary>The percentile 99 of an event's time, in milliseconds. Null with too few events for it.</summary>
    public double? EventP99Ms { get; init; }

    /// <summary>The rate by the law at this degree. Null without a law.</summary>
    public double? LawEventsPerS { get; init; }
}

/// <summary>X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)).</summary>
internal sealed record SweptLaw
{
    /// <summary>Events a second at degree 1.</summary>
    public required FittedFigure Lambda { get; init; }

    /// <summary>Contention: the share of an event's time in which it waits for its turn.</summary>
    public required FittedFigure Sigma { get; init; }

    /// <summary>Coherence: the additional cost of each pair of events in flight.</summary>
    public required FittedFigure Kappa { get; init; }

    /// <summary>The degree with the highest rate by the law. Null while no decline is seen.</summary>
    public FittedFigure? BestDegree { get; init; }
}

/// <summary>A fitted figure with its bootstrap 95 % interval.</summary>
internal sealed record FittedFigure
{
    /// <summary>The value of the best fit.</summary>
    public required double Value { get; init; }

    /// <summary>The lower end.</summary>
    public required double Low { get; init; }

    /// <summary>The upper end.</summary>
    public required double High { get; init; }
}
