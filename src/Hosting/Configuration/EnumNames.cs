namespace EventHubThroughput.Hosting.Configuration;

internal static class EnumNames
{
    /// <summary>The valid names of a configuration, as <c>A, B or C</c>.</summary>
    public static string Of<T>()
        where T : struct, Enum
    {
        var names = Enum.GetNames<T>();
        return $"{string.Join(", ", names[..^1])} or {names[^1]}";
    }
}
