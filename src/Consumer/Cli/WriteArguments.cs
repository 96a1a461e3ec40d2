using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The description of a handler: one option for each of its writes.</summary>
internal sealed class WriteArguments
{
    /// <summary>The name of the option.</summary>
    public const string Name = "--write";

    /// <summary>The option, which may be given several times.</summary>
    public Option<string[]> Write { get; } =
        new Option<string[]>(Name)
        {
            Description =
                $"A write of the handler, in place of message and blob: sql=8ms, sql=8ms/2ms with a spread, sql=8ms:concurrency=20, sql=8ms:quota=500/s. May be given up to {DescribedWriteReader.MostWrites} times",
            HelpName = "NAME=TIME",
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        }.Sets(static (run, texts) => GetWrites(texts) is { Count: > 0 } writes ? run.WithWrites(writes) : run);

    /// <summary>The problems of the writes.</summary>
    public IEnumerable<string> Problems(CommandResult result)
    {
        try
        {
            DescribedWriteReader.Read(Name, result.GetValue(Write) ?? []);
            return [];
        }
        catch (UsageException wrong)
        {
            return wrong.Problems;
        }
    }

    /// <summary>The writes. None if one has a problem.</summary>
    public IReadOnlyList<DescribedWrite> Read(CommandResult result) => GetWrites(result.GetValue(Write));

    // Writes with a problem are reported by the command. Other checks go without them.
    private static IReadOnlyList<DescribedWrite> GetWrites(string[]? texts)
    {
        try
        {
            return DescribedWriteReader.Read(Name, texts ?? []);
        }
        catch (UsageException)
        {
            return [];
        }
    }
}
