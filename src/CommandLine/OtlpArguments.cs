using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.CommandLine;

/// <summary>The options that send telemetry to a collector. Without them nothing is sent.</summary>
public sealed class OtlpArguments
{
    private readonly Option<string?> endpoint = Options.Text(
        OtlpOptions.EndpointOption,
        "Send metrics and traces to this collector (OTLP over HTTP, protobuf), as in http://127.0.0.1:4318",
        "URL"
    );

    private readonly Option<OtlpSignals> signals = Options.Choice(
        OtlpOptions.SignalsOption,
        "What is sent to --otlp. Metrics cost less than traces",
        OtlpSignals.Both,
        OtlpOptions.Choices
    );

    /// <summary>The options.</summary>
    public IReadOnlyList<Option> All => [endpoint, signals];

    /// <summary>Adds the checks of the options.</summary>
    public void AddChecksTo(Command command)
    {
        command.Check(result => result.GetValue(endpoint) is { } text ? GetProblem(text) : null);
        command.Check(result => result.IsGiven(signals) && !result.IsGiven(endpoint) ? $"{signals.Name}: only with {endpoint.Name}" : null);
    }

    /// <summary>The collector options. Null sends nothing.</summary>
    public OtlpOptions? Read(CommandResult result) => result.GetValue(endpoint) is { } text ? new OtlpOptions(new Uri(text), result.GetValue(signals)) : null;

    // Does not repeat a password that was given nevertheless.
    private static string? GetProblem(string text) =>
        !Uri.TryCreate(text, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https") || address.Host.Length == 0
            ? $"{OtlpOptions.EndpointOption} '{text}': not the address of a collector, allowed are http and https as in http://127.0.0.1:4318"
        : address.UserInfo.Length > 0
            ? $"{OtlpOptions.EndpointOption} '{address.Scheme}://***@{address.Authority}': contains a name or a password. Put credentials of the collector into OTEL_EXPORTER_OTLP_HEADERS"
        : address.Query.Length > 0 || address.Fragment.Length > 0
            ? $"{OtlpOptions.EndpointOption} '{text}': has a query or a fragment, allowed is a path, to which /v1/metrics and /v1/traces are appended"
        : null;
}
