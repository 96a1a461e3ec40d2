namespace EventHubThroughput.Lab.Results;

/// <summary>
/// Members that results of earlier versions do not have. The generated reader sets a member that is absent to null, in spite of its initial value.
/// </summary>
internal static class Given
{
    /// <summary>The list, or an empty one.</summary>
    public static IReadOnlyList<T> OrEmpty<T>(IReadOnlyList<T>? list) => list ?? [];

    /// <summary>The values by name, or none.</summary>
    public static IReadOnlyDictionary<string, T> OrEmpty<T>(IReadOnlyDictionary<string, T>? values) =>
        values ?? new Dictionary<string, T>(StringComparer.Ordinal);
}
