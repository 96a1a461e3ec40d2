using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Repository.Tests.Grafana;

/// <summary>A dashboard file, read for what a test asks.</summary>
internal sealed partial class Dashboard(JsonObject root)
{
    public static IEnumerable<string> Files =>
        Directory.EnumerateFiles(RepositoryFiles.GetPath("grafana", "dashboards"), "*.json").Select(path => Path.GetFileName(path));

    public JsonObject Root => root;

    public IReadOnlyList<JsonObject> TopPanels => [.. root["panels"]!.AsArray().Select(panel => panel!.AsObject())];

    /// <summary>Panels of the first level and those inside collapsed rows.</summary>
    public IReadOnlyList<JsonObject> Panels =>
        [.. TopPanels.Concat(TopPanels.SelectMany(row => row["panels"]?.AsArray().Select(panel => panel!.AsObject()) ?? []))];

    public IReadOnlyList<JsonObject> Variables => [.. root["templating"]!["list"]!.AsArray().Select(variable => variable!.AsObject())];

    public IReadOnlyList<JsonObject> Annotations => [.. root["annotations"]!["list"]!.AsArray().Select(annotation => annotation!.AsObject())];

    public IReadOnlyList<string> Expressions =>
        [
            .. Find(root, "expr")
                .Concat(Variables.Where(variable => Text(variable, "type") == "query").Select(variable => variable["definition"]!))
                .Select(node => node.GetValue<string>()),
        ];

    public static Dashboard Load(string file) => new(JsonNode.Parse(File.ReadAllText(RepositoryFiles.GetPath("grafana", "dashboards", file)))!.AsObject());

    /// <summary>Every value of a property, at any depth.</summary>
    public static IEnumerable<JsonNode> Find(JsonNode? node, string property) =>
        node switch
        {
            JsonObject found => found.SelectMany(pair => pair.Key == property && pair.Value is not null ? [pair.Value] : Find(pair.Value, property)),
            JsonArray array => array.SelectMany(element => Find(element, property)),
            _ => [],
        };

    public static string Text(JsonObject node, string property) => node[property]!.GetValue<string>();

    /// <summary>The metrics of an expression: names that are followed neither by '(' nor part of a grouping, a selector or a range.</summary>
    public static IEnumerable<string> GetMetrics(string expression)
    {
        var bare = expression.StartsWith("label_values(", StringComparison.Ordinal)
            ? expression["label_values(".Length..expression.LastIndexOf(',')]
            : expression;
        bare = Text().Replace(bare, string.Empty);
        bare = SelectorOrRange().Replace(bare, string.Empty);
        bare = Grouping().Replace(bare, string.Empty);
        return Name().Matches(bare).Select(match => match.Value).Where(name => name is not ("and" or "or" or "unless" or "bool" or "inf" or "nan"));
    }

    [GeneratedRegex("\"[^\"]*\"", RegexOptions.None, 1000)]
    private static partial Regex Text();

    [GeneratedRegex(@"\{[^}]*\}|\[[^\]]*\]|\$\w+", RegexOptions.None, 1000)]
    private static partial Regex SelectorOrRange();

    [GeneratedRegex(@"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Grouping();

    [GeneratedRegex(@"\b[a-zA-Z_:][a-zA-Z0-9_:]*\b(?!\s*\()", RegexOptions.None, 1000)]
    private static partial Regex Name();
}
