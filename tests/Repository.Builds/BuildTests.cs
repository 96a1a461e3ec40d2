using System.Reflection;
using Xunit;

namespace EventHubThroughput.Repository.Builds;

/// <summary>What `dotnet build`, `dotnet run` and `dotnet test` make without options is what people measure.</summary>
public sealed class BuildTests
{
    [Theory]
    [InlineData("consumer")]
    [InlineData("emulator")]
    [InlineData("sender")]
    public void The_programs_are_optimised_unless_a_build_for_the_debugger_was_asked_for(string program)
    {
        Assert.SkipUnless(Testing.Builds.IsOptimised(typeof(BuildTests).Assembly), "built with -p:Debuggable=true");
        Assert.True(Testing.Builds.IsOptimised(Assembly.LoadFrom(Path.Combine(AppContext.BaseDirectory, $"{program}.dll"))));
    }
}
