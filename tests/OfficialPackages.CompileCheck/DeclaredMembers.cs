using System.Reflection;
using EventHubThroughput.OfficialPackages.Declarations;

namespace EventHubThroughput.OfficialPackages.CompileCheck;

/// <summary>What the declarations declare.</summary>
internal static class DeclaredMembers
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static Assembly Assembly => typeof(ReadFromAttribute).Assembly;

    public static IEnumerable<Type> Types => Assembly.GetExportedTypes().Where(static type => type != typeof(ReadFromAttribute));

    /// <summary>Constructors, methods, accessors and fields; an enum's values are fields.</summary>
    public static IEnumerable<MemberInfo> Of(Type type)
    {
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            return [];
        }

        return type.IsEnum
            ? type.GetFields(BindingFlags.Public | BindingFlags.Static)
            : type.GetMembers(All)
                .Where(static member =>
                    member switch
                    {
                        // An event cannot be declared by half.
                        MethodInfo { Name: var name } when name.StartsWith("remove_", StringComparison.Ordinal) => false,
                        MethodBase method => method.IsPublic || method.IsFamily,
                        FieldInfo field => field.IsPublic,
                        _ => false,
                    }
                );
    }

    /// <summary>A member in words that are the same for ours and for the real one.</summary>
    public static string Text(MemberInfo member) =>
        member switch
        {
            MethodInfo method => $"{method.ReturnType} {Owner(method)}.{method.Name}({Parameters(method)})",
            ConstructorInfo constructor => $"{Owner(constructor)}({Parameters(constructor)})",
            FieldInfo { IsLiteral: true } value => $"{Owner(value)}.{value.Name} = {value.GetRawConstantValue()}",
            FieldInfo field => $"{field.FieldType} {Owner(field)}.{field.Name}",
            _ => throw new ArgumentException($"no member that is declared: {member}", nameof(member)),
        };

    private static string Owner(MemberInfo member) => member.DeclaringType!.FullName!;

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(static parameter => parameter.ParameterType));
}
