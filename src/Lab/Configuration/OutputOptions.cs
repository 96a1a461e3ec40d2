using System.Net;
using System.Text.Json.Serialization;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>What a run writes, and what it shows while it runs.</summary>
internal sealed record OutputOptions
{
    /// <summary>The file of the results. Null writes none.</summary>
    public string? Result { get; init; }

    /// <summary>The sender's ledger, for the verdict.</summary>
    public string? Ledger { get; init; }

    /// <summary>The emulator's journal, for the verdict.</summary>
    public string? Journal { get; init; }

    /// <summary>The record of what handlers acknowledge, for the verdict on a run without messages and blobs. Null writes none.</summary>
    public string? Acknowledgements { get; init; }

    /// <summary>Where metrics are served. Null serves none.</summary>
    public MetricsOptions? Metrics { get; init; }

    /// <summary>Where metrics and traces are sent. Null sends none.</summary>
    public OtlpOptions? Otlp { get; init; }

    /// <summary>What is logged on standard error, beside the messages to the user. Each process has it from its environment.</summary>
    [JsonIgnore]
    public LogChoice Log { get; init; } = LogChoice.Nothing;
}

/// <summary>Where metrics are served, and how long a watched run stays for its last scrapes.</summary>
internal sealed record MetricsOptions(IPAddress Address, int? Port, TimeSpan Linger)
{
    /// <summary>The folder in which Prometheus finds what is served. Null lists it nowhere.</summary>
    public string? Targets { get; init; }
}
