namespace EventHubThroughput.Clients;

/// <summary>Compares options with their limits. A problem is one line, <c>Option value: what is allowed</c>.</summary>
internal static class OptionLimits
{
    /// <summary>1 ms, below which timers do not measure.</summary>
    public static readonly TimeSpan ShortestTime = TimeSpan.FromMilliseconds(1);

    /// <summary>1 day. Timers end with an exception at 49 days.</summary>
    public static readonly TimeSpan LongestTime = TimeSpan.FromDays(1);

    /// <summary>The problem of a number, or none.</summary>
    public static IEnumerable<string> Check(string name, long value, long least, long most) =>
        value < least || value > most ? [$"{name} {value}: allowed {least} to {most}"] : [];

    /// <summary>The problem of a time, or none.</summary>
    public static IEnumerable<string> Check(string name, TimeSpan value, TimeSpan least, TimeSpan most) =>
        value < least || value > most ? [$"{name} {value}: allowed {least} to {most}"] : [];

    /// <summary>Refuses options that have problems.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is one. The message has a line for each.</exception>
    public static void Require(IEnumerable<string> problems, string parameter)
    {
        if (problems.ToList() is { Count: > 0 } all)
        {
            throw new ArgumentOutOfRangeException(parameter, string.Join('\n', all));
        }
    }
}
