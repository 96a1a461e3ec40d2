namespace EventHubThroughput.Hosting.Health;

/// <summary>The states of all processings of a host.</summary>
internal sealed class ProcessingStates(IEnumerable<string> names, TimeProvider timeProvider)
{
    private readonly Dictionary<string, ProcessingState> states = names.ToDictionary(
        static name => name,
        _ => new ProcessingState(timeProvider),
        StringComparer.OrdinalIgnoreCase
    );

    /// <exception cref="InvalidOperationException">There is no processing of this name. The message lists those that there are.</exception>
    public ProcessingState Of(string name) =>
        states.GetValueOrDefault(name)
        ?? throw new InvalidOperationException($"The services have no processing '{name}'. They have: {string.Join(", ", states.Keys)}.");
}
