using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Consumer.Comparing.Reports;

/// <summary>The command line that made a comparison, as it is typed into a shell.</summary>
internal static class CommandText
{
    private const string Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/@%+";

    public static string Of(ComparisonHeader header) => string.Join(' ', header.Arguments.Prepend("consumer").Select(Quoted));

    private static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(Plain.Contains) ? argument : $"'{argument.Replace("'", @"'\''", StringComparison.Ordinal)}'";
}
