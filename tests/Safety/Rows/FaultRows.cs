using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Rows;

/// <summary>All rows, in the order of the specification.</summary>
internal static class FaultRows
{
    public static IReadOnlyList<FaultRow> All { get; } =
    [
        .. EndRows.All, .. ServiceRows.All,
    ];
}
