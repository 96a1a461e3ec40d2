using OpenTelemetry.Resources;

namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>Whose telemetry it is.</summary>
/// <param name="Service">The program.</param>
/// <param name="Version">Its version.</param>
/// <param name="Instance">The run: what tells two of them apart.</param>
public sealed record OtlpResource(string Service, string Version, string Instance)
{
    /// <summary>The meters and sources of activities that are sent.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>What else is said of it, by names.</summary>
    public IReadOnlyDictionary<string, object> Attributes { get; init; } = new Dictionary<string, object>(StringComparer.Ordinal);

    internal ResourceBuilder Builder =>
        ResourceBuilder
            .CreateDefault()
            .AddService(Service, serviceVersion: Version, autoGenerateServiceInstanceId: false, serviceInstanceId: Instance)
            .AddAttributes(Attributes);
}
