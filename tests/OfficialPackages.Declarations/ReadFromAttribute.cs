namespace EventHubThroughput.OfficialPackages.Declarations;

/// <summary>Where a declared type was read.</summary>
/// <param name="package">The package; where it differs from the assembly, the name on the feed.</param>
/// <param name="version">Its version.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Interface | AttributeTargets.Delegate)]
public sealed class ReadFromAttribute(string package, string version) : Attribute
{
    public string Package => package;

    public string Version => version;
}
