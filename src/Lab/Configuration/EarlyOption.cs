namespace EventHubThroughput.Lab.Configuration;

/// <summary>Reads an option before the command line is parsed, because the available choices depend on it.</summary>
internal static class EarlyOption
{
    /// <summary>The value of an option, <c>--name value</c> or <c>--name=value</c>. Null where it is not given.</summary>
    /// <param name="option">The option, with its dashes.</param>
    /// <param name="arguments">The command line.</param>
    public static string? GetValue(string option, IReadOnlyList<string> arguments)
    {
        for (var place = 0; place < arguments.Count; place++)
        {
            if (arguments[place] == option)
            {
                return place + 1 < arguments.Count ? arguments[place + 1] : null;
            }

            if (arguments[place].StartsWith($"{option}=", StringComparison.Ordinal))
            {
                return arguments[place][(option.Length + 1)..];
            }
        }

        return null;
    }
}
