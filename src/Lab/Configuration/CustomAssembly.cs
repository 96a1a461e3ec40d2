using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// What a custom assembly offers: every public static property or field that holds one value of a kind, or several. Its own dependencies are loaded from its
/// folder. Those that it shares with this program are loaded from this program.
/// </summary>
/// <param name="option">The option that names it.</param>
/// <param name="what">What it offers, in the plural.</param>
internal sealed partial class CustomAssembly(string option, string what)
{
    /// <summary>Whether this can be a name. Names are part of options, labels and files.</summary>
    public static bool IsName(string name) => NamePattern().IsMatch(name);

    /// <summary>The rule for names, for messages.</summary>
    public const string NameRule = "a name is 1 to 40 lower-case letters, digits and dashes and begins with a letter";

    /// <summary>The file that a command line names, before it is parsed: what can be chosen depends on it. Null when it names none.</summary>
    public string? NamedIn(IReadOnlyList<string> arguments) => EarlyOption.GetValue(option, arguments);

    /// <summary>What it offers of a kind. At least one.</summary>
    /// <param name="file">The assembly.</param>
    /// <param name="problemOf">Why one cannot be used, or null.</param>
    /// <exception cref="UsageException">It cannot be loaded, or holds none that can be used. The message contains the reason.</exception>
    public IReadOnlyList<T> Load<T>(string file, Func<T, string?> problemOf)
        where T : class
    {
        if (NamedFile.GetProblem(file) is { } problem)
        {
            throw Wrong(file, File.Exists(file) || Directory.Exists(file) ? problem : "no such file");
        }

        try
        {
            var found = new Context(Path.GetFullPath(file)).Own.GetExportedTypes().SelectMany(GetValues<T>).ToList();
            return found.Count == 0 ? throw Wrong(file, $"has no public static property or field that holds a {typeof(T).Name}")
                : found.Select(problemOf).FirstOrDefault(static problem => problem is not null) is { } wrong ? throw Wrong(file, wrong)
                : found;
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or UnauthorizedAccessException or TypeLoadException)
        {
            throw Wrong(file, $"cannot be loaded: {exception.Message}");
        }
        catch (TargetInvocationException exception)
        {
            var thrown = exception.GetBaseException();
            throw Wrong(file, $"{what} cannot be read: {thrown.GetType().Name}: {thrown.Message}");
        }
    }

    private static IEnumerable<T> GetValues<T>(Type type)
    {
        const BindingFlags Own = BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var values = type.GetProperties(Own)
            .Where(static property => property.GetIndexParameters().Length == 0 && Holds<T>(property.PropertyType))
            .Select(static property => property.GetValue(null))
            .Concat(type.GetFields(Own).Where(static field => Holds<T>(field.FieldType)).Select(static field => field.GetValue(null)));
        return values.SelectMany(static value =>
            value switch
            {
                T one => [one],
                IEnumerable<T> several => several,
                _ => [],
            }
        );
    }

    private static bool Holds<T>(Type type) => type == typeof(T) || type.IsAssignableTo(typeof(IEnumerable<T>));

    private UsageException Wrong(string file, string why) => new($"{option} {file}: {why}");

    [GeneratedRegex("^[a-z][a-z0-9-]{0,39}\\z", RegexOptions.NonBacktracking)]
    private static partial Regex NamePattern();

    // Assemblies of this program are shared. Otherwise a descriptor of the custom assembly would have a different type.
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
