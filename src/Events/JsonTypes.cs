using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace EventHubThroughput.Events;

/// <summary>The serialization of a type's JSON, with options that may need reflection.</summary>
internal static class JsonTypes
{
    /// <summary>Why a trimmed or natively compiled program cannot pass options.</summary>
    public const string NeedsReflection = "JSON by options may need reflection. Give a JsonTypeInfo of a source-generated context.";

    /// <summary>The contract of a type. The options cannot be changed afterwards.</summary>
    /// <exception cref="NotSupportedException">JSON of the type cannot be read.</exception>
    [RequiresUnreferencedCode(NeedsReflection)]
    [RequiresDynamicCode(NeedsReflection)]
    public static JsonTypeInfo<T> Of<T>(JsonSerializerOptions? options)
    {
        options ??= JsonSerializerOptions.Default;
        options.MakeReadOnly(populateMissingResolver: true);
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }
}
