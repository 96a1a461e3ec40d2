using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>Prints members of a run's result, one on each line, for scripts without a JSON parser.</summary>
internal static class FigureCommand
{
    private static readonly Argument<string> File = new("FILE") { Description = "the result of a run" };
    private static readonly Argument<string[]> Paths = new("PATH") { Description = "a member, such as throughput.eventsPerS", Arity = ArgumentArity.OneOrMore };

    public static RootCommand Create(CommandConsole console)
    {
        var root = new RootCommand("Prints members of a run's result, a line each.") { File, Paths };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var result = await ReadAsync(parsed.GetValue(File)!, cancellationToken);
                foreach (var path in parsed.GetValue(Paths)!)
                {
                    await console.Output.WriteLineAsync(Find(result, path));
                }

                return 0;
            }
        );
        return root;
    }

    private static async Task<JsonNode> ReadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            return JsonSerializer.SerializeToNode(await ResultJson.ReadRunAsync(file, cancellationToken), ResultJson.Options)!;
        }
        catch (JsonException wrong)
        {
            throw new UsageException($"{file}: not the result of a run: {wrong.Message}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{file}: cannot be read");
        }
    }

    private static string Find(JsonNode result, string path)
    {
        var found = result;
        foreach (var name in path.Split('.'))
        {
            if (found is not JsonObject group || !group.TryGetPropertyValue(name, out found))
            {
                throw new UsageException($"{path}: not in a result");
            }
        }

        return found is null ? throw new UsageException($"{path}: not known of this run") : found.ToString();
    }
}
