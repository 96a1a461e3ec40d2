using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>The configuration that is recommended for a need.</summary>
/// <param name="Search">Has found it, and finds those of other orders.</param>
/// <param name="Order">The wanted order.</param>
/// <param name="Found">The configuration. Null if the model predicts no rate.</param>
internal sealed record Recommendation(ConfigurationSearch Search, OrderingGuarantee Order, ModelledConfiguration? Found)
{
    /// <summary>Searches it.</summary>
    public static Recommendation Of(ConfigurationSearch search, OrderingGuarantee order) => new(search, order, search.Find(order));

    /// <summary>Writes it, its sentence first.</summary>
    public void Write(TextWriter output)
    {
        if (Found is { } found)
        {
            RecommendationText.Write(Search, Order, found, output);
        }
        else
        {
            output.WriteLine($"No recommendation: {Predictor.WhyNot(Search.GetSettings(StrategyCatalog.All[0]))}.");
            output.WriteLine();
        }
    }
}
