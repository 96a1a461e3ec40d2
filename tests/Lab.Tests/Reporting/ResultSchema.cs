using System.Reflection;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Tests.Reporting;

/// <summary>The JSON schema of the result files, out of their types. Their documentation explains the members.</summary>
internal static partial class ResultSchema
{
    private static readonly Dictionary<Assembly, XDocument> Documentation = [];
    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private static readonly JsonSchemaExporterOptions Exporter = new() { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = Describe };

    public static string Text()
    {
        var schema = new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["title"] = "Result of --output of consumer run, verify, compare or model",
            ["description"] = "Units are in the names, missing is null and never 0, and no secret is in it.",
            ["oneOf"] = new JsonArray(Reference("run"), Reference("verification"), Reference("comparison"), Reference("model")),
            ["$defs"] = new JsonObject
            {
                ["run"] = Export<RunResult>(ResultKind.Capacity),
                ["verification"] = Export<VerificationResult>(ResultKind.Verification),
                ["comparison"] = Comparison(),
                ["model"] = Export<ModelResult>(ResultKind.Model),
            },
        };
        return schema.ToJsonString(Indented) + "\n";
    }

    private static JsonObject Reference(string name) => new() { ["$ref"] = $"#/$defs/{name}" };

    // A cell holds the result of a run.
    private static JsonNode Comparison()
    {
        var schema = Export<ComparisonResult>(ResultKind.Comparison, "comparison");
        var cell = schema["properties"]!["cells"]!["items"]!["properties"]!;
        cell["result"] = new JsonObject
        {
            ["description"] = (string)cell["result"]!["description"]!,
            ["oneOf"] = new JsonArray(Reference("run"), new JsonObject { ["type"] = "null" }),
        };
        return schema;
    }

    // The kind distinguishes the forms.
    private static JsonNode Export<T>(ResultKind kind, string head = "run")
    {
        var schema = ResultJson.Options.GetJsonSchemaAsNode(typeof(T), Exporter);
        var header = schema["properties"]![head]!["properties"]!;
        header["kind"]!["enum"] = new JsonArray(ResultJson.Naming($"{kind}"));
        header["schema"]!["const"] = 1;
        return schema;
    }

    private static JsonNode Describe(JsonSchemaExporterContext context, JsonNode node)
    {
        if (context.PropertyInfo is not { } property || node is not JsonObject schema)
        {
            return node;
        }

        var described = new JsonObject { ["description"] = GetSummary(property.DeclaringType, property.Name) };
        foreach (var (name, value) in schema.ToArray())
        {
            schema.Remove(name);
            described[name] = value;
        }

        return described;
    }

    private static string GetSummary(Type type, string name)
    {
        var member = type.GetProperties().Single(member => ResultJson.Naming(member.Name) == name);
        if (!Documentation.TryGetValue(type.Assembly, out var documentation))
        {
            documentation = XDocument.Load(Path.ChangeExtension(type.Assembly.Location, ".xml"));
            Documentation.Add(type.Assembly, documentation);
        }

        // A member of a primary constructor is described with its type.
        var summary =
            Find($"P:{type.FullName}.{member.Name}")?.Element("summary")
            ?? Find($"T:{type.FullName}")?.Elements("param").FirstOrDefault(parameter => (string?)parameter.Attribute("name") == member.Name)
            ?? throw new InvalidOperationException($"{type.Name}.{member.Name} is not documented");
        return Blank().Replace(string.Concat(summary.Nodes().Select(GetText)), " ").Trim();

        XElement? Find(string id) => documentation.Descendants("member").FirstOrDefault(found => (string?)found.Attribute("name") == id);
    }

    private static string GetText(XNode node) =>
        node is XElement { Name.LocalName: "see" } reference
            ? ResultJson.Naming(((string)reference.Attribute("cref")!).Split('.')[^1])
            : ((node as XText)?.Value ?? ((XElement)node).Value);

    [GeneratedRegex(@"\s+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Blank();
}
