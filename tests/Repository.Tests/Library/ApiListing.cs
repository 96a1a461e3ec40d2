using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace EventHubThroughput.Repository.Tests.Library;

/// <summary>What is public in an assembly, one member a line, in the order of the names.</summary>
internal static class ApiListing
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly string[] Kinds = ["System.Enum", "System.ValueType", "System.MulticastDelegate"];

    public static string Of(Assembly assembly)
    {
        var listing = new StringBuilder();
        foreach (var type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            listing.Append(GetHead(type)).Append('\n');
            foreach (var line in type.GetMembers(Declared).Select(GetLine).OfType<string>().Distinct().Order(StringComparer.Ordinal))
            {
                listing.Append("    ").Append(line).Append('\n');
            }
        }

        return listing.ToString();
    }

    private static string GetHead(Type type)
    {
        var kind =
            type.IsEnum ? "enum"
            : type.IsValueType ? "struct"
            : type.IsInterface ? "interface"
            : type is { IsAbstract: true, IsSealed: true } ? "static class"
            : type.IsAbstract ? "abstract class"
            : type.IsSealed ? "sealed class"
            : "class";
        var bases = type.GetInterfaces().Where(one => one.IsVisible).Select(GetName).Order(StringComparer.Ordinal).ToList();
        if (type.BaseType is { } parent && parent != typeof(object) && !Kinds.Contains(parent.FullName, StringComparer.Ordinal))
        {
            bases.Insert(0, GetName(parent));
        }

        return $"{kind} {type.Namespace}.{GetName(type)}{(bases.Count == 0 || type.IsEnum ? "" : $" : {string.Join(", ", bases)}")}";
    }

    private static string? GetLine(MemberInfo member) =>
        member switch
        {
            ConstructorInfo made when IsVisible(made) => $"new({Parameters(made)})",
            // The members that the compiler adds to every record are omitted.
            MethodInfo method when method.IsDefined(typeof(CompilerGeneratedAttribute)) => null,
            MethodInfo method when IsVisible(method) && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)) =>
                $"{Static(method)}{GetTypeName(method.ReturnParameter)} {method.Name}{Generic(method)}({Parameters(method)})",
            PropertyInfo property when property.GetAccessors(nonPublic: true).FirstOrDefault(IsVisible) is { } accessor =>
                $"{Static(accessor)}{GetTypeName(property)} {property.Name} {{ {Accessors(property)}}}",
            FieldInfo { IsSpecialName: false } field when field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly =>
                $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{GetTypeName(field)} {field.Name}{Constant(field)}",
            EventInfo declared when declared.AddMethod is { } add && IsVisible(add) => $"event {GetName(declared.EventHandlerType!)} {declared.Name}",
            _ => null,
        };

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Static(MethodInfo method) => method.IsStatic ? "static " : "";

    private static string Constant(FieldInfo field) => field.IsLiteral ? string.Create(CultureInfo.InvariantCulture, $" = {field.GetRawConstantValue()}") : "";

    private static string Accessors(PropertyInfo property)
    {
        var get = property.GetMethod is { } read && IsVisible(read) ? "get; " : "";
        var set =
            property.SetMethod is not { } write || !IsVisible(write) ? ""
            : write.ReturnParameter.GetRequiredCustomModifiers().Length > 0 ? "init; "
            : "set; ";
        return get + set;
    }

    private static string Parameters(MethodBase method) =>
        string.Join(
            ", ",
            method
                .GetParameters()
                .Select(parameter =>
                    $"{GetTypeName(parameter)} {parameter.Name}{(parameter.HasDefaultValue ? " = " + (parameter.DefaultValue ?? "null") : "")}"
                )
        );

    private static string GetTypeName(ParameterInfo parameter) => Annotated(parameter.ParameterType, new NullabilityInfoContext().Create(parameter));

    private static string GetTypeName(PropertyInfo property) => Annotated(property.PropertyType, new NullabilityInfoContext().Create(property));

    private static string GetTypeName(FieldInfo field) => Annotated(field.FieldType, new NullabilityInfoContext().Create(field));

    private static string Annotated(Type type, NullabilityInfo nullability) =>
        GetName(type)
        + (!type.IsValueType && (nullability.ReadState == NullabilityState.Nullable || nullability.WriteState == NullabilityState.Nullable) ? "?" : "");

    private static string Generic(MethodInfo method) => method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(GetName))}>" : "";

    private static string GetName(Type type)
    {
        if (type.IsByRef)
        {
            return $"ref {GetName(type.GetElementType()!)}";
        }

        if (type.IsArray)
        {
            return $"{GetName(type.GetElementType()!)}[]";
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return $"{GetName(value)}?";
        }

        var nested = type is { IsNested: true, IsGenericParameter: false } ? $"{GetName(type.DeclaringType!)}." : "";
        return nested + type.Name.Split('`')[0] + (type.IsGenericType ? $"<{string.Join(", ", type.GetGenericArguments().Select(GetName))}>" : "");
    }
}
