using System.CommandLine;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Wire;

/// <summary>The listener's process. It prints its port, then its used resources for each input line, and ends with its input.</summary>
internal static class WireListenerCommand
{
    public const string Name = "wire-listener";

    private static readonly Option<string> Library = new("--library") { Required = true };

    public static RootCommand Create(CommandConsole console, TextReader input)
    {
        var root = new RootCommand("Takes what benchmarks/amqp sends.") { Library };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await using var listener = WireRows.Libraries[parsed.GetRequiredValue(Library)].Listen();
                await console.Output.WriteLineAsync($"{listener.Port}");
                while (await input.ReadLineAsync(cancellationToken) is not null)
                {
                    await console.Output.WriteLineAsync($"{WireSpent.Now}");
                }

                return 0;
            }
        );
        return root;
    }
}
