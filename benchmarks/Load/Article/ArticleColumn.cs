using EventHubThroughput.Model;
using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Article;

/// <summary>A column of the table: the published and predicted figures of one strategy, and those measured with each family of clients.</summary>
/// <param name="Published">The article's figures.</param>
/// <param name="Rate">The model's rate.</param>
/// <param name="Model">The figures of the simulation.</param>
/// <param name="Measured">A run for each family, in the order of the option.</param>
internal sealed record ArticleColumn(PublishedRun Published, double Rate, SimulatedFigures Model, IReadOnlyList<ArticleMeasurement> Measured)
{
    /// <summary>A column without a measurement.</summary>
    public static ArticleColumn Predict(PublishedRun published)
    {
        // These decide the rate. The article states none, so they are the program's defaults on this profile.
        var settings = new ModelSettings()
        {
            Strategy = published.Strategy,
            Profile = LatencyProfiles.Article,
            Prefetch = 0,
        };
        var (prediction, model) = Predictor.GetDescription(settings)!.Value;
        return new ArticleColumn(published, prediction.EventsPerSecond, model, []);
    }
}
