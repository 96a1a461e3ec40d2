using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>
/// Strategies of somebody's own, from an assembly that is built on the package EventHubThroughput.Strategies: every public static property or field
/// that holds a <see cref="StrategyDescriptor"/>, or several of them. Its own dependencies come from beside it, those that it shares with this
/// program from this program.
/// </summary>
internal static partial class StrategyAssembly
{
    /// <summary>The option that names the file.</summary>
    public const string Option = "--strategy-assembly";

    /// <summary>The file that a command line names, before it is parsed: what can be chosen depends on it. Null when it names none.</summary>
    public static string? NamedIn(IReadOnlyList<string> arguments)
    {
        for (var place = 0; place < arguments.Count; place++)
        {
            if (arguments[place] == Option)
            {
                return place + 1 < arguments.Count ? arguments[place + 1] : null;
            }

            if (arguments[place].StartsWith($"{Option}=", StringComparison.Ordinal))
            {
                return arguments[place][(Option.Length + 1)..];
            }
        }

        return null;
    }

    /// <summary>The strategies of an assembly, in the order of their names; at least one.</summary>
    /// <exception cref="UsageException">It cannot be loaded, or holds no strategy that can be used; the message says why.</exception>
    public static IReadOnlyList<StrategyDescriptor> Load(string file)
    {
        if (!File.Exists(file))
        {
            throw Wrong(file, "no such file");
        }

        try
        {
            var found = new Context(Path.GetFullPath(file))
                .Own.GetExportedTypes()
                .SelectMany(DescriptorsOf)
                .OrderBy(static one => one.Name, StringComparer.Ordinal)
                .ToList();
            return found.Count == 0 ? throw Wrong(file, "has no public static property or field that holds a StrategyDescriptor")
                : found.Select(ProblemOf).FirstOrDefault(static problem => problem is not null) is { } wrong ? throw Wrong(file, wrong)
                : found;
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or UnauthorizedAccessException or TypeLoadException)
        {
            throw Wrong(file, $"cannot be loaded: {exception.Message}");
        }
        catch (TargetInvocationException exception)
        {
            var thrown = exception.GetBaseException();
            throw Wrong(file, $"its strategies cannot be read: {thrown.GetType().Name}: {thrown.Message}");
        }
    }

    private static IEnumerable<StrategyDescriptor> DescriptorsOf(Type type)
    {
        const BindingFlags Own = BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var values = type.GetProperties(Own)
            .Where(static property => property.GetIndexParameters().Length == 0 && Holds(property.PropertyType))
            .Select(static property => property.GetValue(null))
            .Concat(type.GetFields(Own).Where(static field => Holds(field.FieldType)).Select(static field => field.GetValue(null)));
        return values.SelectMany(static value =>
            value switch
            {
                StrategyDescriptor one => [one],
                IEnumerable<StrategyDescriptor> several => several,
                _ => [],
            }
        );
    }

    private static bool Holds(Type type) => type == typeof(StrategyDescriptor) || type.IsAssignableTo(typeof(IEnumerable<StrategyDescriptor>));

    // Names stand in options, labels and files.
    private static string? ProblemOf(StrategyDescriptor strategy) =>
        !NamePattern().IsMatch(strategy.Name) ? $"strategy '{strategy.Name}': a name is 1 to 40 lower-case letters, digits and dashes, a letter first"
        : string.IsNullOrWhiteSpace(strategy.Summary) ? $"strategy '{strategy.Name}': has no summary"
        : strategy is { IsUnsafe: true, IsBarrier: false } ? $"strategy '{strategy.Name}': unsafe strategies have a barrier"
        : strategy.Unsafe is { } practice && practice.OptionNames.Except(strategy.Options.Select(static option => option.Name)).FirstOrDefault() is { } absent
            ? $"strategy '{strategy.Name}': has no option '{absent}', which its rule names"
        : null;

    private static UsageException Wrong(string file, string why) => new($"{Option} {file}: {why}");

    [GeneratedRegex("^[a-z][a-z0-9-]{0,39}\\z", RegexOptions.NonBacktracking)]
    private static partial Regex NamePattern();

    // What this program has already is shared, or a descriptor of the assembly would be none of ours.
    private sealed class Context : AssemblyLoadContext
    {
        private readonly AssemblyDependencyResolver resolver;

        public Context(string file)
            : base(Path.GetFileNameWithoutExtension(file))
        {
            resolver = new AssemblyDependencyResolver(file);
            Own = LoadFromAssemblyPath(file);
        }

        public Assembly Own { get; }

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            try
            {
                return Default.LoadFromAssemblyName(assemblyName);
            }
            catch (FileNotFoundException)
            {
                return resolver.ResolveAssemblyToPath(assemblyName) is { } path ? LoadFromAssemblyPath(path) : null;
            }
        }
    }
}
