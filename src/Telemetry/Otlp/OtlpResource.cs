using OpenTelemetry.Resources;

namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>The source of the telemetry.</summary>
/// <param name="Service">The program.</param>
/// <param name="Version">Its version.</param>
/// <param name="Instance">The identifier of the run, which differs for each run.</param>
public sealed record OtlpResource(string Service, string Version, string Instance)
{
    /// <summary>The meters and activity sources that are sent.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>Further attributes, by name.</summary>
    public IReadOnlyDictionary<string, object> Attributes { get; init; } = new Dictionary<string, object>(StringComparer.Ordinal);

    internal ResourceBuilder Builder =>
        ResourceBuilder
            .CreateDefault()
            .AddService(Service, serviceVersion: Version, autoGenerateServiceInstanceId: false, serviceInstanceId: Instance)
            .AddAttributes(Attributes);
}
