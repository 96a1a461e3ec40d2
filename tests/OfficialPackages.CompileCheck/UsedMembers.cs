using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using EventHubThroughput.Testing;

namespace EventHubThroughput.OfficialPackages.CompileCheck;

/// <summary>
/// What the compiled adapter uses of the declarations: the references that the compiler wrote, the members that it overrides, and,
/// since the compiler leaves nothing of an enum but a number, the values that its sources name.
/// </summary>
internal sealed class UsedMembers
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    // Stand for the arguments of generic contexts, which nothing here depends on.
    private static readonly Type[] Anything = [.. Enumerable.Repeat(typeof(object), 8)];

    private readonly HashSet<string> members = new(StringComparer.Ordinal);
    private readonly HashSet<Type> types = [];
    private readonly string sources = string.Concat(
        Directory.EnumerateFiles(RepositoryFiles.PathOf("src", "OfficialPackages"), "*.cs", SearchOption.AllDirectories).Select(File.ReadAllText)
    );

    public UsedMembers(Assembly adapter)
    {
        using var file = new PEReader(File.OpenRead(adapter.Location));
        var metadata = file.GetMetadataReader();
        var module = adapter.ManifestModule;
        foreach (var token in Tokens(metadata, TableIndex.TypeRef))
        {
            Add(module.ResolveType(token));
        }

        foreach (var token in Tokens(metadata, TableIndex.MemberRef))
        {
            Add(module.ResolveMember(token, Anything, Anything)!);
        }

        foreach (var method in adapter.GetTypes().SelectMany(static type => type.GetMethods(Declared)))
        {
            Add(method.GetBaseDefinition());
        }

        // What a used member takes, gives or is part of must be declared with it.
        foreach (var type in DeclaredMembers.Types)
        {
            foreach (var member in DeclaredMembers.Of(type))
            {
                AddSignatureOf(member);
            }
        }
    }

    public bool Has(Type type) => types.Contains(type);

    /// <summary>A call of an override is compiled as one of what it overrides.</summary>
    public bool Has(MemberInfo member) =>
        member is FieldInfo { IsLiteral: true } value
            ? Regex.IsMatch(sources, $@"\b{value.DeclaringType!.Name}\.{value.Name}\b", RegexOptions.None, TimeSpan.FromSeconds(10))
            : members.Contains(DeclaredMembers.Text(Open(member is MethodInfo method ? method.GetBaseDefinition() : member)));

    private static IEnumerable<int> Tokens(MetadataReader metadata, TableIndex table) =>
        Enumerable.Range(1, metadata.GetTableRowCount(table)).Select(row => ((int)table << 24) + row);

    private void Add(MemberInfo member)
    {
        var open = Open(member);
        if (open is Type type)
        {
            AddType(type);
        }
        else if (open.DeclaringType is { } owner && owner.Assembly == DeclaredMembers.Assembly)
        {
            members.Add(DeclaredMembers.Text(Open(open is MethodInfo method ? method.GetBaseDefinition() : open)));
            AddType(owner);
        }
    }

    private void AddSignatureOf(MemberInfo member)
    {
        var mentioned = member switch
        {
            MethodInfo method => method.GetParameters().Select(static parameter => parameter.ParameterType).Append(method.ReturnType),
            MethodBase constructor => constructor.GetParameters().Select(static parameter => parameter.ParameterType),
            FieldInfo field => [field.FieldType],
            _ => [],
        };
        foreach (var type in mentioned)
        {
            AddType(type);
        }
    }

    private void AddType(Type? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (type.HasElementType)
            {
                AddType(type.GetElementType());
            }

            foreach (var argument in type.GetGenericArguments())
            {
                if (!argument.IsGenericParameter)
                {
                    AddType(argument);
                }
            }

            types.Add(type.IsGenericType ? type.GetGenericTypeDefinition() : type);
            if (type.DeclaringType is { } outer)
            {
                types.Add(outer);
            }
        }
    }

    // The declaration behind a generic instance.
    private static MemberInfo Open(MemberInfo member)
    {
        var open = member is MethodInfo { IsGenericMethod: true } generic ? generic.GetGenericMethodDefinition() : member;
        return open is not Type && open.DeclaringType is { IsConstructedGenericType: true } constructed
            ? constructed.GetGenericTypeDefinition().GetMemberWithSameMetadataDefinitionAs(open)
            : open;
    }
}
