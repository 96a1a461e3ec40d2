using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// The options of a run as JSON: the record as it is declared. One process starts another by such a document. Connection settings and what is logged
/// are not in it: a process has them from its environment.
/// </summary>
internal static class RunDocument
{
    /// <summary>In place of a path: the document comes by standard input.</summary>
    public const string StandardInput = "-";

    private const int MostBytes = 64 * 1024;

    private static readonly JsonSerializerOptions Form = GetForm(new NamedCode());

    /// <summary>The document of these options.</summary>
    public static byte[] Write(RunOptions options) => JsonSerializer.SerializeToUtf8Bytes(options, TypeIn(Form));

    /// <summary>The options as a member of another document.</summary>
    public static JsonObject GetObject(RunOptions options) => JsonSerializer.SerializeToNode(options, TypeIn(Form))!.AsObject();

    /// <summary>Reads a document.</summary>
    /// <param name="option">The option that names it.</param>
    /// <param name="path">A file, or <see cref="StandardInput"/>.</param>
    /// <param name="openInput">Opens standard input.</param>
    /// <exception cref="UsageException">It cannot be read, is not such a document, or asks for what cannot be done.</exception>
    public static RunOptions Read(string option, string path, Func<Stream> openInput)
    {
        try
        {
            if (path != StandardInput && NamedFile.GetProblem(path) is { } problem)
            {
                throw new UsageException(problem);
            }

            using var stream = path == StandardInput ? openInput() : File.OpenRead(path);
            var options = Parse(stream);
            List<string> problems =
            [
                .. options.Load is null ? [] : new[] { "load: only for embedded runs, but connection settings are set in the environment" },
                .. ProblemsOf(options.Processing),
            ];
            return problems.Count > 0 ? throw new UsageException(problems) : options;
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

    private static IReadOnlyList<string> ProblemsOf(ProcessingOptions options)
    {
        try
        {
            options.Validate();
            return [];
        }
        catch (InvalidOptionsException invalid)
        {
            return invalid.Problems;
        }
    }

    private static RunOptions Parse(Stream stream)
    {
        var buffer = new byte[MostBytes + 1];
        var length = stream.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
        if (length > MostBytes)
        {
            throw new UsageException($"longer than {MostBytes} bytes");
        }

        // Which strategies and sinks there are depends on the assemblies that the document names.
        var document = buffer.AsSpan(0, length);
        var code = JsonSerializer.Deserialize(document, RunContext.Default.NamedCode) ?? throw new UsageException("null");
        return JsonSerializer.Deserialize(document, TypeIn(GetForm(code)))!;
    }

    private static JsonTypeInfo<RunOptions> TypeIn(JsonSerializerOptions form) => (JsonTypeInfo<RunOptions>)form.GetTypeInfo(typeof(RunOptions));

    // A value that is more than data is in the document by its name.
    private static JsonSerializerOptions GetForm(NamedCode code) =>
        new(RunContext.Default.Options)
        {
            TypeInfoResolver = RunContext.Default.WithAddedModifier(OmitUnset),
            Converters =
            {
                new NameConverter<StrategyDescriptor>(static strategy => strategy.Name, code.FindStrategy),
                new NameConverter<SinkDescriptor>(static sink => sink.Name, code.FindSink),
                new NameConverter<ClientFamily>(AvailableComponents.GetText, AvailableComponents.FamilyOfText),
                new NameConverter<IPAddress>(static address => address.ToString(), IPAddress.Parse),
            },
        };

    // Derived members are not in the document. Every other member must be: a default would hide that another build lacks an option.
    private static void OmitUnset(JsonTypeInfo type)
    {
        foreach (var member in type.Properties.ToList())
        {
            if (member.Set is null)
            {
                type.Properties.Remove(member);
            }
            else
            {
                member.IsRequired = member.PropertyType.IsValueType ? Nullable.GetUnderlyingType(member.PropertyType) is null : !member.IsSetNullable;
            }
        }
    }
}

/// <summary>The assemblies that a document names. Their strategies and sinks are loaded when one is asked for that this build lacks.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Skip)]
internal sealed record NamedCode
{
    /// <summary>As in <see cref="RunOptions"/>.</summary>
    public string? StrategyAssembly { get; init; }

    /// <summary>As in <see cref="RunOptions"/>.</summary>
    public string? SinkAssembly { get; init; }

    /// <summary>The strategy of a name.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    public StrategyDescriptor FindStrategy(string name)
    {
        if (StrategyAssembly is { } file && Known() is null)
        {
            AvailableComponents.Extend(Configuration.StrategyAssembly.Load(file));
        }

        return Known() ?? throw new UsageException($"strategy '{name}': unknown");

        StrategyDescriptor? Known() => AvailableComponents.Current.Strategies.FirstOrDefault(known => known.Name == name);
    }

    /// <summary>As in <see cref="RunOptions"/>.</summary>
    public IReadOnlyList<string>? Writes { get; init; }

    /// <summary>The sink of a name.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    public SinkDescriptor FindSink(string name)
    {
        if (DescribedWriteReader.Read("writes", Writes ?? []).FirstOrDefault(write => write.Name == name) is { } described)
        {
            return DescribedSink.Of(described);
        }

        if (SinkAssembly is { } file && Known() is null)
        {
            AvailableComponents.ExtendSinks(file);
        }

        return Known() ?? throw new UsageException($"sink '{name}': unknown");

        SinkDescriptor? Known() => AvailableComponents.Current.FindSink(name);
    }
}

/// <summary>A value that is written as its name.</summary>
/// <param name="nameOf">The name of a value.</param>
/// <param name="find">The value of a name.</param>
internal sealed class NameConverter<T>(Func<T, string> nameOf, Func<string, T> find) : JsonConverter<T>
    where T : class
{
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String ? find(reader.GetString()!) : throw new JsonException();

    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => writer.WriteStringValue(nameOf(value));
}

/// <summary>The types of the document, known when this program was built.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    // An earlier build, which a comparison may start, refuses unknown members.
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    AllowDuplicateProperties = false,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [
        typeof(CamelCaseConverter<Balancing>),
        typeof(CamelCaseConverter<KillPoint>),
        typeof(CamelCaseConverter<OtlpSignals>),
        typeof(CamelCaseConverter<PoisonPolicy>),
        typeof(CamelCaseConverter<StartingPosition>),
    ]
)]
[JsonSerializable(typeof(RunOptions))]
[JsonSerializable(typeof(NamedCode))]
internal sealed partial class RunContext : JsonSerializerContext;
