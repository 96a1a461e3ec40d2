using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Rows;

/// <summary>All rows, in the order of the specification.</summary>
internal static class FaultRows
{
    public static IReadOnlyList<FaultRow> All { get; } =
    [.. KillRows.All, .. EndRows.All, .. ServiceRows.All, .. PoisonRows.All, .. CheckpointRows.All, .. MachineRows.All, .. DataRows.All, .. ControlRows.All];
}
