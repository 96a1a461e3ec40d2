using System.Reflection;
using System.Runtime.Loader;
using Xunit;

namespace EventHubThroughput.OfficialPackages.CompileCheck.Real;

/// <summary>Holds every declaration against the assemblies of the build: it must be there, word for word, and not on its way out.</summary>
public sealed class RealAssembliesTests
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly string Folder = typeof(RealAssembliesTests)
        .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static entry => entry.Key == "OfficialAssemblies")
        .Value!;

    private static readonly Dictionary<string, Type> Real = Load();

    [Fact]
    public void Every_declared_member_is_there_and_not_obsolete() =>
        Assert.Empty(DeclaredMembers.Types.SelectMany(static type => DeclaredMembers.Of(type).Select(member => Fault(type, member))).OfType<string>());

    [Fact]
    public void Every_declared_type_is_of_the_same_kind() =>
        Assert.All(
            DeclaredMembers.Types,
            static type =>
            {
                var real = Real[type.FullName!];
                Assert.Equal((real.IsEnum, real.IsValueType, real.IsInterface), (type.IsEnum, type.IsValueType, type.IsInterface));
                Assert.True(real.IsAbstract == type.IsAbstract && real.IsSealed == type.IsSealed, type.FullName);
                Assert.Equal(real.BaseType?.ToString(), type.BaseType?.ToString());
            }
        );

    private static string? Fault(Type type, MemberInfo declared)
    {
        var text = DeclaredMembers.Text(declared);
        var found = Real.GetValueOrDefault(type.FullName!)
            ?.GetMembers(All)
            .FirstOrDefault(member => member is MethodBase or FieldInfo && DeclaredMembers.Text(member) == text);
        return found is null ? $"missing: {text}"
            : IsObsolete(found) ? $"obsolete: {text}"
            : null;
    }

    // An accessor is as obsolete as its property.
    private static bool IsObsolete(MemberInfo member) =>
        member.IsDefined(typeof(ObsoleteAttribute))
        || member
            .DeclaringType!.GetProperties(All)
            .Any(property => (property.GetMethod == member || property.SetMethod == member) && property.IsDefined(typeof(ObsoleteAttribute)));

    private static Dictionary<string, Type> Load()
    {
        var context = new AssemblyLoadContext("official");
        context.Resolving += static (loader, name) =>
            Path.Combine(Folder, $"{name.Name}.dll") is var file && File.Exists(file) ? loader.LoadFromAssemblyPath(file) : null;
        return Directory
            .EnumerateFiles(Folder, "*.dll")
            .Select(context.LoadFromAssemblyPath)
            .SelectMany(static assembly => assembly.GetExportedTypes())
            .GroupBy(static type => type.FullName!, StringComparer.Ordinal)
            .ToDictionary(static group => group.Key, static group => group.First(), StringComparer.Ordinal);
    }
}
