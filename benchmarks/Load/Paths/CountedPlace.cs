namespace EventHubThroughput.Load.Paths;

/// <summary>A place whose passes are counted.</summary>
/// <param name="Assembly">The assembly without the common part of its name.</param>
/// <param name="Type">The type in the source: what the compiler makes of its methods belongs to it.</param>
/// <param name="Method">The method.</param>
/// <param name="Kind">What is counted.</param>
internal sealed record CountedPlace(string Assembly, string Type, string Method, PlaceKind Kind);

/// <summary>What the passes of a place are.</summary>
internal enum PlaceKind
{
    /// <summary>Calls of a method that stands in the source.</summary>
    Code,

    /// <summary>Calls of a constructor, or of a member that the compiler writes: the type may hold data only.</summary>
    Data,

    /// <summary>Acquisitions of a lock.</summary>
    Lock,
}
