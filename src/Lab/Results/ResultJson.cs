using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Results;

/// <summary>Results as JSON: how they are written and read, here and by users of this program.</summary>
internal static class ResultJson
{
    private static readonly string[] WithoutVerdict =
    [
        Naming(nameof(SafetyFigures.Verdict)),
        Naming(nameof(SafetyFigures.Line)),
        Naming(nameof(SafetyFigures.Unjudged)),
    ];

    /// <summary>The form of every result.</summary>
    public static JsonSerializerOptions Options { get; } =
        new(ResultContext.Default.Options)
        {
            // Read as a file, never inside HTML.
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            TypeInfoResolver = ResultContext.Default.WithAddedModifier(OmitUnjudged),
        };

    /// <summary>Returns a result in the form of a file.</summary>
    /// <typeparam name="T"><see cref="RunResult"/>, <see cref="VerificationResult"/>, <see cref="ComparisonResult"/> or <see cref="ModelResult"/>.</typeparam>
    public static byte[] Write<T>(T result) => [.. JsonSerializer.SerializeToUtf8Bytes(result, GetTypeInfo<T>()), (byte)'\n'];

    /// <summary>Reads a result.</summary>
    /// <typeparam name="T"><see cref="RunResult"/>, <see cref="VerificationResult"/>, <see cref="ComparisonResult"/> or <see cref="ModelResult"/>.</typeparam>
    /// <exception cref="JsonException">It is not a result, or not whole.</exception>
    public static T Read<T>(ReadOnlySpan<byte> json) => JsonSerializer.Deserialize(json, GetTypeInfo<T>()) ?? throw new JsonException("null is not a result");

    /// <summary>Reads the result of a run from its file.</summary>
    /// <exception cref="JsonException">It is not a result, or not whole.</exception>
    public static async Task<RunResult> ReadRunAsync(string path, CancellationToken cancellationToken) =>
        Read<RunResult>(await File.ReadAllBytesAsync(path, cancellationToken));

    /// <summary>Reads the result of a verification from its file.</summary>
    /// <exception cref="JsonException">It is not a result, or not whole.</exception>
    public static async Task<VerificationResult> ReadVerificationAsync(string path, CancellationToken cancellationToken) =>
        Read<VerificationResult>(await File.ReadAllBytesAsync(path, cancellationToken));

    /// <summary>The name of a member in a result.</summary>
    public static string Naming(string member) => JsonNamingPolicy.CamelCase.ConvertName(member);

    private static JsonTypeInfo<T> GetTypeInfo<T>() => (JsonTypeInfo<T>)Options.GetTypeInfo(typeof(T));

    private static void OmitUnjudged(JsonTypeInfo type)
    {
        if (type.Type == typeof(SafetyFigures))
        {
            foreach (var member in type.Properties.Where(member => !WithoutVerdict.Contains(member.Name, StringComparer.Ordinal)))
            {
                member.ShouldSerialize = static (safety, _) => ((SafetyFigures)safety).Outcome is not null;
            }
        }
    }
}

/// <summary>The types of the results, known when this program was built.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectNullableAnnotations = true,
    WriteIndented = true,
    Converters = [
        typeof(CamelCaseConverter<LimitMethod>),
        typeof(CamelCaseConverter<MeasurementStatus>),
        typeof(CamelCaseConverter<PoisonPolicy>),
        typeof(CamelCaseConverter<ProcessingEnd>),
        typeof(CamelCaseConverter<RateBound>),
        typeof(CamelCaseConverter<RateOutcome>),
        typeof(CamelCaseConverter<RateSearchEnd>),
        typeof(CamelCaseConverter<ResultKind>),
        typeof(CamelCaseConverter<SafetyVerdict>),
        typeof(CamelCaseConverter<VerdictOutcome>),
    ]
)]
[JsonSerializable(typeof(RunResult))]
[JsonSerializable(typeof(VerificationResult))]
[JsonSerializable(typeof(ComparisonResult))]
[JsonSerializable(typeof(ModelResult))]
internal sealed partial class ResultContext : JsonSerializerContext;
