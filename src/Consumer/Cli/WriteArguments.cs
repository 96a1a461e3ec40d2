using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The description of a handler: one option for each of its writes.</summary>
internal sealed class WriteArguments
{
    /// <summary>The option, which may be given several times.</summary>
    public Option<string[]> Write { get; } =
        new("--write")
        {
            Description =
                $"A write of the handler, in place of message and blob: sql=8ms, sql=8ms/2ms with a spread, sql=8ms:concurrency=20, sql=8ms:quota=500/s. May be given up to {DescribedWriteReader.MostWrites} times",
            HelpName = "NAME=TIME",
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        };

    /// <summary>The problems of the writes.</summary>
    public IEnumerable<string> Problems(CommandResult result)
    {
        try
        {
            Read(result);
            return [];
        }
        catch (UsageException wrong)
        {
            return wrong.Problems;
        }
    }

    /// <summary>The described writes. Empty for message and blob.</summary>
    /// <exception cref="UsageException">All problems.</exception>
    public IReadOnlyList<DescribedWrite> Read(CommandResult result) => DescribedWriteReader.Read(Write.Name, result.GetValue(Write) ?? []);
}
