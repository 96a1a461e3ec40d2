namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What a workflow of GitHub Actions runs: the variables of its job and the scripts of its steps. Reads the part of YAML that the sample uses.</summary>
/// <param name="Variables">The variables under <c>env</c>, by name.</param>
/// <param name="Scripts">The texts of <c>run</c>, with the names of their steps, in order.</param>
internal sealed record WorkflowFile(IReadOnlyDictionary<string, string> Variables, IReadOnlyList<(string Name, string Script)> Scripts)
{
    public static WorkflowFile Read(string path)
    {
        var variables = new Dictionary<string, string>(StringComparer.Ordinal);
        var scripts = new List<(string, string)>();
        var lines = File.ReadAllLines(path);
        var name = "";
        for (var at = 0; at < lines.Length; at++)
        {
            var (indent, key, value) = Split(lines[at]);
            switch (key)
            {
                case "env":
                    foreach (var line in TakeBlock(lines, at, indent).Where(static line => !line.TrimStart().StartsWith('#')))
                    {
                        var (_, variable, text) = Split(line);
                        variables.Add(variable, text);
                    }

                    break;
                case "- name":
                    name = value;
                    break;
                case "run":
                    scripts.Add((name, value == "|" ? string.Join('\n', Dedent(TakeBlock(lines, at, indent))) : value));
                    break;
                default:
                    break;
            }
        }

        return new WorkflowFile(variables, scripts);
    }

    // The lines below a key that are further to the right.
    private static List<string> TakeBlock(string[] lines, int at, int indent) =>
        [.. lines.Skip(at + 1).TakeWhile(line => line.Length == 0 || GetIndent(line) > indent).Where(static line => line.Length > 0)];

    private static IEnumerable<string> Dedent(List<string> block)
    {
        var indent = block.Min(GetIndent);
        return block.Select(line => line[indent..]);
    }

    private static (int Indent, string Key, string Value) Split(string line)
    {
        var text = line.Trim();
        var end = text.IndexOf(':', StringComparison.Ordinal);
        return end < 0 ? (GetIndent(line), text, "") : (GetIndent(line), text[..end], text[(end + 1)..].Trim());
    }

    private static int GetIndent(string line) => line.Length - line.TrimStart().Length;
}
