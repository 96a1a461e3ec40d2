namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>Where telemetry goes, and what of it.</summary>
/// <param name="Endpoint">The address of a collector, without the paths of the signals.</param>
/// <param name="Signals">What is sent there.</param>
public sealed record OtlpOptions(Uri Endpoint, OtlpSignals Signals)
{
    /// <summary>The option that names the collector.</summary>
    public const string EndpointOption = "--otlp";

    /// <summary>The option that chooses what is sent.</summary>
    public const string SignalsOption = "--otlp-signals";

    /// <summary>What may be chosen, by its name.</summary>
    public static IReadOnlyList<(string Name, OtlpSignals Signals)> Choices { get; } =
    [("both", OtlpSignals.Both), ("metrics", OtlpSignals.Metrics), ("traces", OtlpSignals.Traces)];

    /// <summary>The same as options, for a program that is started by this one.</summary>
    public IReadOnlyList<string> Arguments => [EndpointOption, Endpoint.AbsoluteUri, SignalsOption, Choices.Single(choice => choice.Signals == Signals).Name];

    /// <summary>The address of one signal.</summary>
    /// <param name="signal">Its name in the protocol.</param>
    internal Uri AddressOf(string signal) => new($"{Endpoint.AbsoluteUri.TrimEnd('/')}/v1/{signal}");
}

/// <summary>What is sent.</summary>
[Flags]
public enum OtlpSignals
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Metrics alone.</summary>
    Metrics = 1,

    /// <summary>Traces alone.</summary>
    Traces = 2,

    /// <summary>Both of them.</summary>
    Both = Metrics | Traces,
}
