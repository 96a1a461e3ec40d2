namespace EventHubThroughput.Processing;

/// <summary>Options are outside of their limits or conflict. The message has a line for each problem.</summary>
public sealed class InvalidOptionsException : ArgumentException
{
    internal InvalidOptionsException(IReadOnlyList<string> problems, string parameter)
        : base(string.Join('\n', problems), parameter) => Problems = problems;

    /// <summary>One line for each problem, <c>Option value: what is allowed</c>.</summary>
    public IReadOnlyList<string> Problems { get; }

    internal static void ThrowIfAny(IEnumerable<string> problems, string parameter)
    {
        if (problems.ToList() is { Count: > 0 } all)
        {
            throw new InvalidOptionsException(all, parameter);
        }
    }
}
