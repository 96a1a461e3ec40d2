using System.Text.Json.Nodes;

namespace EventHubThroughput.Repository.Tests.Grafana;

/// <summary>
/// The part of YAML that the files of this repository use: mappings and sequences by indent, sequences in brackets on one line, scalars with or
/// without quotes. Everything is text. Any other syntax is refused.
/// </summary>
internal sealed class PlainYaml
{
    private readonly List<(int Indent, string Text)> lines;
    private int at;

    private PlainYaml(IEnumerable<string> text) =>
        lines = [
            .. text.Where(static line => line.Trim() is { Length: > 0 } content && content[0] != '#')
                .Select(static line => (line.Length - line.TrimStart().Length, line.Trim())),
        ];

    public static JsonObject Read(string text) => new PlainYaml(text.ReplaceLineEndings("\n").Split('\n')).ReadBlock(0).AsObject();

    private JsonNode ReadBlock(int indent) => lines[at].Text.StartsWith("- ", StringComparison.Ordinal) ? ReadSequence(indent) : ReadMapping(indent);

    private JsonArray ReadSequence(int indent)
    {
        var items = new JsonArray();
        for (; at < lines.Count && lines[at].Indent == indent; at++)
        {
            Require(lines[at].Text.StartsWith("- ", StringComparison.Ordinal) && !lines[at].Text.Contains(": ", StringComparison.Ordinal));
            items.Add(GetScalar(lines[at].Text[2..]));
        }

        Require(at == lines.Count || lines[at].Indent < indent);
        return items;
    }

    private JsonObject ReadMapping(int indent)
    {
        var members = new JsonObject();
        while (at < lines.Count && lines[at].Indent == indent)
        {
            var colon = lines[at].Text.IndexOf(':', StringComparison.Ordinal);
            Require(colon > 0);
            var (name, rest) = (lines[at].Text[..colon], lines[at].Text[(colon + 1)..].Trim());
            at++;
            members.Add(
                name,
                rest.Length > 0 ? GetValue(rest)
                    : at < lines.Count && lines[at].Indent > indent ? ReadBlock(lines[at].Indent)
                    : null
            );
        }

        Require(at == lines.Count || lines[at].Indent < indent);
        return members;
    }

    private JsonNode GetValue(string text)
    {
        if (text[0] != '[')
        {
            return GetScalar(text);
        }

        Require(text[^1] == ']');
        return new JsonArray([.. text[1..^1].Split(',').Select(part => GetScalar(part.Trim()))]);
    }

    private JsonValue GetScalar(string text)
    {
        Require(text.Length > 0 && !"&*!|>{%@`".Contains(text[0], StringComparison.Ordinal) && !text.Contains(" #", StringComparison.Ordinal));
        return JsonValue.Create(text[0] is '"' or '\'' ? text[1..^1] : text);
    }

    private void Require(bool understood)
    {
        if (!understood)
        {
            throw new FormatException($"not of the plain part of YAML: {(at < lines.Count ? lines[at].Text : "the end")}");
        }
    }
}
