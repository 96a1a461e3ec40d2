using System.Text.Json;
using System.Text.Json.Serialization;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Settings;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>The settings document by which one process of this program starts another: written and read by the same types.</summary>
internal static class RunSettingsFile
{
    /// <summary>In place of a path: the document comes by standard input.</summary>
    public const string StandardInput = "-";

    private const int MostBytes = 64 * 1024;

    /// <summary>The document that says the same as these options.</summary>
    public static byte[] Write(ConsumerOptions options) => JsonSerializer.SerializeToUtf8Bytes(RunSettings.Of(options), RunSettingsContext.Default.RunSettings);

    /// <summary>Reads a document.</summary>
    /// <param name="option">The option that names it.</param>
    /// <param name="path">A file, or <see cref="StandardInput"/>.</param>
    /// <exception cref="UsageException">It cannot be read, is none, or says what cannot be done.</exception>
    public static ConsumerOptions Read(string option, string path)
    {
        try
        {
            if (path != StandardInput && NamedFile.ProblemOf(path) is { } problem)
            {
                throw new UsageException(problem);
            }

            using var stream = path == StandardInput ? StandardStreams.OpenInput() : File.OpenRead(path);
            var options = Parse(stream).ToOptions();
            return options.Processing.Problems().ToList() is { Count: > 0 } problems ? throw new UsageException(problems) : options;
        }
        catch (UsageException wrong)
        {
            throw new UsageException([.. wrong.Problems.Select(problem => $"{option} {path}: {problem}")]);
        }
        catch (JsonException wrong)
        {
            throw new UsageException($"{option} {path}: not a settings document: {JsonProblem.Of(wrong)}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{option} {path}: cannot be read");
        }
    }

    private static RunSettings Parse(Stream stream)
    {
        var document = new byte[MostBytes + 1];
        var length = stream.ReadAtLeast(document, document.Length, throwOnEndOfStream: false);
        return length > MostBytes
            ? throw new UsageException($"longer than {MostBytes} bytes")
            : JsonSerializer.Deserialize(document.AsSpan(0, length), RunSettingsContext.Default.RunSettings) ?? throw new UsageException("null");
    }
}

/// <summary>The types of the settings document, known when this program was built.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    // An earlier build, which a comparison may start, refuses what it does not know.
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    AllowDuplicateProperties = false,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(CamelCaseConverter<Balancing>), typeof(CamelCaseConverter<KillPoint>), typeof(CamelCaseConverter<PoisonPolicy>)]
)]
[JsonSerializable(typeof(RunSettings))]
internal sealed partial class RunSettingsContext : JsonSerializerContext;
