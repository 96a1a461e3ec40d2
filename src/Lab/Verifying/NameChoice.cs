using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>A name that was not given is taken from the evidence when that leaves no choice.</summary>
internal static class NameChoice
{
    private const int MostShown = 10;

    /// <summary>The only name. Null when there is none.</summary>
    /// <param name="option">The option that would name it.</param>
    /// <param name="where">Where the names were found.</param>
    /// <param name="what">What they are, in the plural.</param>
    /// <param name="found">The names.</param>
    /// <exception cref="UsageException">There are several. The message lists them.</exception>
    public static string? Of(string option, string where, string what, IReadOnlyCollection<string> found) =>
        found.Count switch
        {
            0 => null,
            1 => found.First(),
            _ => throw new UsageException($"{option}: not given, but {where} has several {what}: {List(found)}"),
        };

    public static string List(IReadOnlyCollection<string> names) =>
        string.Join(", ", names.Take(MostShown).Select(name => $"'{name}'")) + (names.Count > MostShown ? $" and {names.Count - MostShown} more" : "");
}
