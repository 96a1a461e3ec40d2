namespace EventHubThroughput.Load.Paths;

/// <summary>A place of the code whose passes are counted.</summary>
/// <param name="Assembly">The assembly, without the common part of its name.</param>
/// <param name="Type">The type in the source. It includes the types that the compiler generates for its methods.</param>
/// <param name="Method">The method.</param>
/// <param name="Kind">What is counted.</param>
internal sealed record CountedPlace(string Assembly, string Type, string Method, PlaceKind Kind);

/// <summary>The meaning of a place's passes.</summary>
internal enum PlaceKind
{
    /// <summary>Calls of a method of the source.</summary>
    Code,

    /// <summary>Calls of a constructor or of a member that the compiler generates. The type may hold data only.</summary>
    Data,

    /// <summary>Acquisitions of a lock.</summary>
    Lock,
}
