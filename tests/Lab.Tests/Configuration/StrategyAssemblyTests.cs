using System.Reflection;
using System.Reflection.Emit;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Configuration;

public sealed class StrategyAssemblyTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("assembly-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Gives_what_public_static_members_hold()
    {
        var own = StrategyAssembly.Load(typeof(OwnOfTests).Assembly.Location);

        var ofTests = Assert.Single(own, static strategy => strategy.Name == OwnOfTests.Descriptor.Name);
        Assert.NotSame(OwnOfTests.Descriptor, ofTests);
        Assert.Equal(OrderingGuarantee.None, ofTests.Ordering);
    }

    [Fact]
    public void An_unusable_strategy_assembly_is_refused_with_the_reason()
    {
        var text = Path.Combine(folder.FullName, "text.dll");
        File.WriteAllText(text, "no assembly");
        var none = typeof(EventBatch).Assembly.Location;
        var missing = Path.Combine(folder.FullName, "missing.dll");

        Assert.Equal($"--strategy-assembly {missing}: no such file", WrongWith(missing));
        Assert.Equal($"--strategy-assembly {none}: has no public static property or field that holds a StrategyDescriptor", WrongWith(none));
        Assert.StartsWith($"--strategy-assembly {text}: cannot be loaded: ", WrongWith(text), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(BrokenOffers.Throws), "strategies cannot be read: InvalidOperationException: no strategy today")]
    [InlineData(nameof(BrokenOffers.Misnamed), "strategy 'My Own': a name is 1 to 40 lower-case letters, digits and dashes and begins with a letter")]
    [InlineData(nameof(BrokenOffers.Unexplained), "strategy 'mine': has no summary")]
    public void A_wrong_offer_of_a_strategy_assembly_is_refused_with_the_reason(string components, string expected)
    {
        var file = Path.Combine(folder.FullName, $"{components}.dll");
        SaveOffering(typeof(BrokenOffers).GetMethod(components)!, file);

        Assert.Equal($"--strategy-assembly {file}: {expected}", WrongWith(file));
    }

    [Fact]
    public void A_name_that_is_taken_is_refused() =>
        Assert.Equal(
            "--strategy-assembly: strategy 'outloop': the name is taken",
            Assert.Throws<UsageException>(static () => AvailableComponents.Extend([StrategyCatalog.Find("outloop")])).Message
        );

    [Theory]
    [InlineData("", null)]
    [InlineData("run --strategy a", null)]
    [InlineData("--strategy-assembly", null)]
    [InlineData("--strategy-assembly a.dll --strategy b", "a.dll")]
    [InlineData("run --strategy-assembly=b.dll", "b.dll")]
    public void Is_found_on_a_command_line(string arguments, string? expected) =>
        Assert.Equal(expected, StrategyAssembly.NamedIn(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)));

    // An assembly with one public static property, whose value is what the method gives.
    private static void SaveOffering(MethodInfo components, string file)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(components.Name), typeof(object).Assembly);
        var type = assembly.DefineDynamicModule(components.Name).DefineType("Own", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        var getter = type.DefineMethod("get_Strategy", MethodAttributes.Public | MethodAttributes.Static, typeof(StrategyDescriptor), []);
        var code = getter.GetILGenerator();
        code.Emit(OpCodes.Call, components);
        code.Emit(OpCodes.Ret);
        type.DefineProperty("Strategy", PropertyAttributes.None, typeof(StrategyDescriptor), []).SetGetMethod(getter);
        type.CreateType();
        assembly.Save(file);
    }

    private static string WrongWith(string file) => Assert.Throws<UsageException>(() => StrategyAssembly.Load(file)).Message;
}

/// <summary>What an assembly may offer that cannot be used.</summary>
public static class BrokenOffers
{
    /// <summary>Fails.</summary>
    public static StrategyDescriptor Throws() => throw new InvalidOperationException("no strategy today");

    /// <summary>Has no name for an option.</summary>
    public static StrategyDescriptor Misnamed() => OwnOfTests.Descriptor with { Name = "My Own" };

    /// <summary>Has nothing for the help.</summary>
    public static StrategyDescriptor Unexplained() => OwnOfTests.Descriptor with { Name = "mine", Summary = " " };
}

/// <summary>What an assembly that is named offers.</summary>
public static class OwnOfTests
{
    /// <summary>A strategy under a custom name.</summary>
    public static StrategyDescriptor Descriptor { get; } = StrategyCatalog.Find("combined") with { Name = "own-of-tests" };
}
