namespace PumpedProcessor;

/// <summary>Reads the environment.</summary>
internal static class Setting
{
    /// <exception cref="InvalidOperationException">The variable is not set.</exception>
    public static string Of(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");
}
