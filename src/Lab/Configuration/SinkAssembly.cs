using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>Custom sinks and handlers, from an assembly that is built on the package EventHubThroughput.Processing.</summary>
internal static class SinkAssembly
{
    /// <summary>The option that names the file.</summary>
    public const string Option = "--sink-assembly";

    /// <summary>The option that names the file of handlers that events are written to alone.</summary>
    public const string HandlerOption = "--handler";

    /// <summary>The option that a command line has and its file, before it is parsed. Null when it names none.</summary>
    public static (string Option, string File)? NamedIn(IReadOnlyList<string> arguments) =>
        EarlyOption.GetValue(Option, arguments) is { } file ? (Option, file)
        : EarlyOption.GetValue(HandlerOption, arguments) is { } handler ? (HandlerOption, handler)
        : null;

    /// <summary>The sinks of an assembly, in the order of their names. At least one.</summary>
    /// <param name="file">The assembly.</param>
    /// <param name="option">The option that names it.</param>
    /// <exception cref="UsageException">It cannot be loaded, or holds no sink that can be used. The message contains the reason.</exception>
    public static IReadOnlyList<SinkDescriptor> Load(string file, string option = Option)
    {
        var found = new CustomAssembly(option, "sinks").Load<SinkDescriptor>(file, GetProblem);
        return found.GroupBy(static sink => sink.Name, StringComparer.Ordinal).FirstOrDefault(static same => same.Skip(1).Any()) is { } twice
            ? throw new UsageException($"{option} {file}: sink '{twice.Key}' exists twice")
            : [.. found.OrderBy(static sink => sink.Name, StringComparer.Ordinal)];
    }

    private static string? GetProblem(SinkDescriptor sink) =>
        !CustomAssembly.IsName(sink.Name) ? $"sink '{sink.Name}': {CustomAssembly.NameRule}"
        : SinkCatalog.All.Any(known => known.Name == sink.Name) ? $"sink '{sink.Name}': the name is taken"
        : null;
}
