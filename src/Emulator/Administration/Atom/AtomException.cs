namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>A request is refused.</summary>
internal sealed class AtomException(int status, string message) : Exception(message)
{
    public int Status { get; } = status;
}
