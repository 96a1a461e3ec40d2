using System.Reflection;
using EventHubThroughput.OfficialPackages.Declarations;
using Xunit;

namespace EventHubThroughput.OfficialPackages.CompileCheck;

/// <summary>That the adapter compiles is shown by this project; that nothing is declared beyond what it uses, by these tests.</summary>
public sealed class DeclarationsTests
{
    private static readonly UsedMembers Used = new(typeof(DeclarationsTests).Assembly);

    [Fact]
    public void No_member_is_declared_that_the_adapter_does_not_use() =>
        Assert.All(DeclaredMembers.Types.SelectMany(DeclaredMembers.Of), static member => Assert.True(Used.Has(member), DeclaredMembers.Text(member)));

    [Fact]
    public void No_type_is_declared_that_neither_the_adapter_nor_another_declaration_names() =>
        Assert.All(DeclaredMembers.Types, static type => Assert.True(Used.Has(type), type.FullName));

    [Fact]
    public void The_adapter_uses_all_packages_of_the_brief_that_are_not_in_every_build() =>
        Assert.Superset(
            new HashSet<string> { "Azure.Messaging.EventHubs", "Azure.Messaging.EventHubs.Processor", "Azure.Messaging.ServiceBus", "AsyncEnumerator" },
            DeclaredMembers.Types.Select(static type => type.GetCustomAttribute<ReadFromAttribute>()?.Package).OfType<string>().ToHashSet()
        );

    [Fact]
    public void Every_declared_type_says_in_which_package_and_version_it_was_read() =>
        Assert.All(
            DeclaredMembers.Types.Where(static type => !type.IsNested),
            static type =>
            {
                var source = type.GetCustomAttribute<ReadFromAttribute>();
                Assert.NotNull(source);
                Assert.Matches("^[0-9]+\\.[0-9]+\\.[0-9]+", source.Version);
                Assert.NotEmpty(source.Package);
            }
        );
}
