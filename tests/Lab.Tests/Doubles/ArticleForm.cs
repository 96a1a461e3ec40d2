using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>The closed forms on the article's profile, which documents and reports show.</summary>
internal static class ArticleForm
{
    /// <summary>The rate of a form, or null for a strategy without one, and for one whose degree is that of the machine.</summary>
    public static Prediction? Predict(string strategy, int batch = 10, int degree = 16, int prefetch = 0) =>
        StrategyRule.Find(strategy) is { } rule && rule.Bound != EventConcurrency.Processors
            ? ClosedForms.Of(
                new ModelSettings
                {
                    Strategy = strategy,
                    Profile = LatencyProfiles.Article,
                    Batch = batch,
                    Degree = degree,
                    Prefetch = prefetch,
                },
                rule
            )
            : null;
}
