using System.Globalization;
using System.Reflection;

namespace EventHubThroughput.OfficialBlobs;

/// <summary>Which versions of the packages speak, and how they try again: what their own defaults would hide.</summary>
internal static class PackageDescription
{
    public static string Of(IEnumerable<Assembly> assemblies, ClientOptions options) =>
        $"{string.Join(", ", assemblies.Select(Name))}; {Of(options.Retry)}; writes: {Of(options.Writes ?? options.Retry)}";

    private static string Name(Assembly assembly)
    {
        var version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return $"{assembly.GetName().Name} {version?.Split('+', 2)[0]}";
    }

    private static string Of(RetryOptions retry) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{retry.MaximumRetries} retries from {retry.FirstDelay.TotalSeconds:0.###} s to {retry.MaximumDelay.TotalSeconds:0.###} s, {retry.TryTimeout.TotalSeconds:0.###} s a try"
        );
}
