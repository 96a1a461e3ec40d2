namespace EventHubThroughput.Telemetry.Otlp;

/// <summary>The destination of telemetry, and the signals.</summary>
/// <param name="Endpoint">The address of a collector, without the paths of the signals.</param>
/// <param name="Signals">The signals that are sent there.</param>
public sealed record OtlpOptions(Uri Endpoint, OtlpSignals Signals)
{
    /// <summary>The option that names the collector.</summary>
    public const string EndpointOption = "--otlp";

    /// <summary>The option that selects the signals.</summary>
    public const string SignalsOption = "--otlp-signals";

    /// <summary>The valid choices, by name.</summary>
    public static IReadOnlyList<(string Name, OtlpSignals Signals)> Choices { get; } =
    [("both", OtlpSignals.Both), ("metrics", OtlpSignals.Metrics), ("traces", OtlpSignals.Traces)];

    /// <summary>The same as options, for a program that this one starts.</summary>
    public IReadOnlyList<string> Arguments => [EndpointOption, Endpoint.AbsoluteUri, SignalsOption, Choices.Single(choice => choice.Signals == Signals).Name];

    /// <summary>The address of one signal.</summary>
    /// <param name="signal">Its name in the protocol.</param>
    internal Uri GetAddress(string signal) => new($"{Endpoint.AbsoluteUri.TrimEnd('/')}/v1/{signal}");
}

/// <summary>The signals that are sent.</summary>
[Flags]
public enum OtlpSignals
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Only metrics.</summary>
    Metrics = 1,

    /// <summary>Only traces.</summary>
    Traces = 2,

    /// <summary>Both of them.</summary>
    Both = Metrics | Traces,
}
