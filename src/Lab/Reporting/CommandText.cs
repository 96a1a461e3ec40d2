namespace EventHubThroughput.Lab.Reporting;

/// <summary>A command line of this program as it is typed into a shell.</summary>
internal static class CommandText
{
    private const string Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/@%+";

    /// <param name="arguments">The arguments after <c>consumer</c>. No secret is ever one.</param>
    public static string Of(IEnumerable<string> arguments) => string.Join(' ', arguments.Prepend("consumer").Select(Quoted));

    private static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(Plain.Contains) ? argument : $"'{argument.Replace("'", @"'\''", StringComparison.Ordinal)}'";
}
